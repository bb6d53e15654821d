import { internalError, payloadTooLarge, PlatformError, unsupportedMediaType } from '@event-commerce/contracts';
import { databaseUnavailable } from '../mongo/database-unavailable.ts';
import { BODY_BYTES_MAX } from './json.ts';

/** The framework's errors in our words, because it uses its own names for things. */
const BAD_REQUESTS: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'The path is not valid. Percent-encode what is not allowed in a path.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH:
    'The body is shorter or longer than content-length says. Send its length in bytes, or leave the header out.',
  FST_ERR_CTP_EMPTY_TYPE: 'Say in content-type what the body is: application/json.',
};

/** `error` as one that may be shown to the caller. The details of an unknown error stay in the log. */
export function toPlatformError(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error;
  const unavailable = databaseUnavailable(error);
  if (unavailable) return unavailable;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return payloadTooLarge(BODY_BYTES_MAX);
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return unsupportedMediaType();
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new PlatformError(
      'BAD_REQUEST',
      BAD_REQUESTS[code ?? ''] ?? 'The request could not be read. Check its headers and body.',
      {
        cause: error,
      },
    );
  }
  return internalError(error);
}

/** Whether `error` means that a dependency is down or too slow, not that the request or event is wrong. */
export function isOutage(error: unknown): boolean {
  const { code } = toPlatformError(error);
  return code === 'SERVICE_UNAVAILABLE' || code === 'UPSTREAM_TIMEOUT';
}
