import { PlatformError } from '@event-commerce/contracts';

/** `error` of asking another service, with all that means "not now" as the one answer SERVICE_UNAVAILABLE. */
export function asUnavailable(error: unknown, message: string): unknown {
  if (!(error instanceof PlatformError)) return error;
  if (error.code !== 'UPSTREAM_TIMEOUT' && error.code !== 'SERVICE_UNAVAILABLE') return error;
  return new PlatformError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause: error });
}
