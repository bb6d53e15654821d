import { PlatformError } from '@event-commerce/contracts';

/** Maps `error` of a call to another service: everything that means "not now" becomes SERVICE_UNAVAILABLE. */
export function asUnavailable(error: unknown, message: string): unknown {
  if (!(error instanceof PlatformError)) return error;
  if (error.code !== 'UPSTREAM_TIMEOUT' && error.code !== 'SERVICE_UNAVAILABLE') return error;
  return new PlatformError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause: error });
}
