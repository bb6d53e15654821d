import { type ErrorBody, errorFromBody, IDENTITY_HEADER, PlatformError } from '@event-commerce/contracts';
import { headers, NoRespondersError, TimeoutError } from '@nats-io/transport-node';
import type { BusConnection } from './connection.ts';
import { inParts, wholeBody } from './large-bodies.ts';
import { measured, requestOn } from './operations.ts';

/** A request-reply subject and how long its caller waits. */
export interface Endpoint {
  subject: string;
  timeoutMs: number;
}

/** What travels beside the body of a request. */
export interface RequestContext {
  /** Whose request this is part of, by the gateway's word; this process's own word where no caller waits any more. */
  identityToken?: string | undefined;
  requestId: string;
  traceparent?: string | undefined;
  /** Small options of the endpoint itself, by name. */
  options?: Record<string, string>;
}

export interface RawReply {
  /** The status the same answer has in HTTP. */
  status: number;
  body: Uint8Array;
  retryAfterSeconds?: number;
}

/** The headers of requests and answers. */
export const HEADER = {
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  optionPrefix: 'option-',
  /** The status that the same answer has in HTTP; none is 200. */
  status: 'status',
  retryAfter: 'retry-after',
} as const;

/** The status that asks for the next part of a request. */
export const CONTINUE = '100';

/**
 * Sends `body` as it is and returns the reply as it is: one attempt. Neither is bounded by what fits into one message.
 *
 * @throws {PlatformError} SERVICE_UNAVAILABLE at once when nobody serves the endpoint, the broker is away, or this process
 *   holds too many large bodies; UPSTREAM_TIMEOUT when no answer, or no next part of it, came in time; PAYLOAD_TOO_LARGE
 */
export async function requestRaw(
  bus: BusConnection,
  endpoint: Endpoint,
  body: Uint8Array | string,
  context: RequestContext,
): Promise<RawReply> {
  return await measured(requestOn(endpoint.subject), context.traceparent, (traceparent) =>
    exchange(bus, endpoint, body, context, traceparent),
  );
}

async function exchange(
  bus: BusConnection,
  endpoint: Endpoint,
  body: Uint8Array | string,
  context: RequestContext,
  traceparent: string | undefined,
): Promise<RawReply> {
  if (!bus.isUp()) throw unavailable(endpoint);
  const head = headers();
  if (context.identityToken !== undefined) head.set(IDENTITY_HEADER, context.identityToken);
  head.set(HEADER.requestId, context.requestId);
  if (traceparent !== undefined) head.set(HEADER.traceparent, traceparent);
  for (const [option, value] of Object.entries(context.options ?? {})) head.set(HEADER.optionPrefix + option, value);
  try {
    const { first, rest } = inParts('request', typeof body === 'string' ? Buffer.from(body) : body, head);
    const timeout = endpoint.timeoutMs;
    let reply = await bus.nats.request(endpoint.subject, first, { timeout, headers: head });
    for (const part of rest) {
      // Any other status is a refusal before all of it was sent.
      if (reply.headers?.get(HEADER.status) !== CONTINUE) break;
      reply = await bus.nats.request(reply.reply ?? '', part, { timeout });
    }
    const answer = await wholeBody('answer', reply, (last) =>
      bus.nats.request(last.reply ?? '', undefined, { timeout }),
    );
    const status = reply.headers?.get(HEADER.status);
    if (!status) return { status: 200, body: answer.body };
    const retryAfter = reply.headers?.get(HEADER.retryAfter);
    return {
      status: Number(status),
      body: answer.body,
      ...(retryAfter ? { retryAfterSeconds: Number(retryAfter) } : {}),
    };
  } catch (cause) {
    if (cause instanceof PlatformError) throw cause;
    if (isNoResponders(cause)) throw unavailable(endpoint, cause);
    if (cause instanceof TimeoutError) {
      throw new PlatformError('UPSTREAM_TIMEOUT', 'The service did not answer in time; it may be tried again.', {
        cause,
      });
    }
    throw unavailable(endpoint, cause);
  }
}

/**
 * Asks `endpoint` and answers the `data` of its reply.
 *
 * @throws {PlatformError} what the other side refused with, or what `requestRaw` throws
 */
export async function call<Reply>(
  bus: BusConnection,
  endpoint: Endpoint,
  request: unknown,
  context: RequestContext,
): Promise<Reply> {
  const reply = await requestRaw(bus, endpoint, JSON.stringify(request), context);
  const body: unknown = JSON.parse(Buffer.from(reply.body).toString('utf8'));
  if (reply.status >= 400) throw errorFromBody(body as ErrorBody);
  return (body as { data: Reply }).data;
}

/** Whether nobody listens where a message went. */
export function isNoResponders(error: unknown): boolean {
  return error instanceof NoRespondersError || (error as Error | undefined)?.cause instanceof NoRespondersError;
}

function unavailable(endpoint: Endpoint, cause?: unknown): PlatformError {
  const service = endpoint.subject.split('.')[1] ?? 'needed';
  return new PlatformError('SERVICE_UNAVAILABLE', `The ${service} service is not available; try again shortly.`, {
    retryAfterSeconds: 1,
    cause,
  });
}
