import { z } from 'zod';
import { ERROR_STATUS, errorBody, type ErrorCode, errorFromBody, type PlatformError } from './errors.ts';

/** A refusal in a reply that contains more than the refusal. */
export const repliedRefusal = z.object({
  code: z.enum(Object.keys(ERROR_STATUS) as ErrorCode[]),
  message: z.string(),
  details: z.array(z.looseObject({ path: z.string(), message: z.string() })).exactOptional(),
  retryAfterSeconds: z.int().exactOptional(),
});
export type RepliedRefusal = z.output<typeof repliedRefusal>;

export function toRefusal(error: PlatformError): RepliedRefusal {
  const { code, message, details } = errorBody(error).error;
  const { retryAfterSeconds } = error;
  return {
    code,
    message,
    ...(details === undefined ? {} : { details: [...details] }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

export function errorFromRefusal({ retryAfterSeconds, ...error }: RepliedRefusal): PlatformError {
  return errorFromBody({ message: error.message, error }, retryAfterSeconds);
}

/** A reply that is not a refusal. @throws {PlatformError} the refusal */
export function accepted<Reply extends object>(reply: Reply): Exclude<Reply, { refusal: RepliedRefusal }> {
  if ('refusal' in reply) throw errorFromRefusal(reply.refusal as RepliedRefusal);
  return reply as Exclude<Reply, { refusal: RepliedRefusal }>;
}
