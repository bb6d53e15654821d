import { effect } from '../adjustments/effect.ts';
import { invalidInput } from './errors.ts';
import { type Refusal, refusal } from './refusal.ts';

/** The errors that any request can get. */

const tooMuch = effect.safeParse({ kind: 'percentage_off', percent: 120 }).error?.issues[0]?.message ?? '';
/** Thrown by validation, which adds the rest of the sentence. */
export const validationFailed: Refusal = {
  code: 'VALIDATION_FAILED',
  when: 'The request breaks its schema or a rule; `details` say where and how.',
  example: () => invalidInput('effect.percent', `${tooMuch} (got 120)`),
};

/** `where`: the place in the text, if it is known. */
export const malformedJson = refusal(
  'MALFORMED_JSON',
  'The body is not JSON.',
  (where: { line: string; column: string } | undefined, cause?: unknown) => ({
    message: `The body is not valid JSON${where === undefined ? '' : `: look at line ${where.line}, column ${where.column}`}.`,
    cause,
  }),
  { line: '1', column: '2' },
);
export const emptySegment = refusal(
  'BAD_REQUEST',
  'The request is not valid HTTP, or its path is not a plain one.',
  () => ({
    message: 'The path has an empty segment: two slashes in a row. Remove one, or fill in the id between them.',
  }),
);
export const keyMissing = refusal(
  'UNAUTHORIZED',
  'The key is missing or not valid, was revoked, or has expired.',
  () => ({ message: 'Send your API key as "Authorization: Bearer <key>".' }),
);
export const scopeMissing = refusal(
  'FORBIDDEN',
  'The key lacks the scope.',
  (scope: string) => ({
    message: `This key lacks the scope ${scope}. Use a key that has it.`,
  }),
  'orders:write',
);
export const rootKeyOnly = refusal('FORBIDDEN', "The key is the operator's, which belongs to no company.", () => ({
  message:
    "The operator's key can only manage API keys. Use it to create a key for a company, and send that key instead.",
}));
export const requestTimeout = refusal('REQUEST_TIMEOUT', 'The request took too long to arrive.', () => ({
  message: 'The request took too long to arrive. Send it again.',
}));

export const answerNotKept = refusal(
  'ALREADY_EXISTS',
  'The request with this Idempotency-Key has already succeeded, and its response was not stored.',
  (idSuffix: string) => ({
    message: `The request with this Idempotency-Key has already succeeded, but its response was not stored: it held a secret, was too large, or your company has too many stored. Read the result instead: the id of what it created ends in _${idSuffix}, unless you chose the id. Find an order by its number, a redemption by its order.`,
  }),
  '01k9q4m2x7f8vb3t6d5c0h0002',
);
export const keyInUse = refusal(
  'IDEMPOTENCY_KEY_IN_USE',
  'The request with this Idempotency-Key is still running.',
  (retryAfterSeconds: number) => ({
    message: 'The first request with this Idempotency-Key is still running. Send it again in a moment.',
    retryAfterSeconds,
  }),
  1,
);
export const keyReused = refusal(
  'IDEMPOTENCY_KEY_REUSED',
  'The Idempotency-Key was sent with another request, or by an API key with other scopes.',
  () => ({
    message:
      'This Idempotency-Key was already used for another request, or by an API key with other scopes. Use a new key for each new request.',
  }),
);

export const payloadTooLarge = refusal(
  'PAYLOAD_TOO_LARGE',
  'The body is larger than 1 MiB.',
  (bytesMax: number) => ({
    message: `The body may have at most ${bytesMax.toLocaleString('en')} bytes. Send less at a time.`,
  }),
  1024 * 1024,
);
export const uriTooLong = refusal(
  'URI_TOO_LONG',
  'Path and query together are longer than 8,192 characters.',
  (charactersMax: number) => ({
    message: `The path and query together may have at most ${charactersMax.toLocaleString('en')} characters. Shorten them.`,
  }),
  8_192,
);
export const headersTooLarge = refusal('HEADERS_TOO_LARGE', 'The headers are too large.', () => ({
  message: 'The headers are too large. Send fewer or shorter ones: large cookies, for example, are not needed here.',
}));
export const unsupportedMediaType = refusal(
  'UNSUPPORTED_MEDIA_TYPE',
  'The body is not sent as application/json, nor a PATCH as application/merge-patch+json.',
  () => ({
    message: 'Send JSON with content-type application/json; a PATCH also takes application/merge-patch+json.',
  }),
);
export const unsupportedContentEncoding = refusal('UNSUPPORTED_MEDIA_TYPE', 'The body is compressed.', () => ({
  message: 'Send the body without compression, and leave out the Content-Encoding header.',
}));
export const expectationFailed = refusal(
  'EXPECTATION_FAILED',
  'The `Expect` header holds something other than `100-continue`.',
  () => ({ message: 'Leave out the Expect header, or send 100-continue: nothing else is supported.' }),
);

export const rateLimited = refusal(
  'RATE_LIMITED',
  'Too many requests with this key, or from this address without a valid one. Wait as long as `Retry-After` says.',
  (retryAfterSeconds: number) => ({
    message: `Too many requests with this key, or with all of your company's keys. Wait ${retryAfterSeconds} s, then send fewer per second.`,
    retryAfterSeconds,
  }),
  1,
);
export const serviceBusy = refusal(
  'SERVICE_UNAVAILABLE',
  'A dependency is not available or is busy. Try again.',
  (service: string) => ({ message: `The ${service} service is busy; try again shortly.`, retryAfterSeconds: 1 }),
  'pricing',
);
export const notReady = refusal(
  'SERVICE_UNAVAILABLE',
  'A dependency does not respond, or the gateway is shutting down. `data` says what.',
  (isDraining: boolean) => ({
    message: isDraining ? 'The gateway is shutting down.' : 'A dependency of the gateway does not respond.',
  }),
  false,
);
/** A write may have taken effect. */
const SEND_AGAIN = 'Send the request again; repeat a write with the same Idempotency-Key.';
export const serviceUnreachable = refusal(
  'BAD_GATEWAY',
  'The service behind the gateway could not be reached.',
  (service: string, cause?: unknown) => ({
    message: `The ${service} service could not be reached. ${SEND_AGAIN}`,
    cause,
  }),
  'pricing',
);
export const serviceTooSlow = refusal(
  'UPSTREAM_TIMEOUT',
  'The service behind the gateway did not respond in time.',
  (service: string, cause?: unknown) => ({
    message: `The ${service} service did not respond in time. ${SEND_AGAIN}`,
    cause,
  }),
  'pricing',
);
export const internalError = refusal(
  'INTERNAL_ERROR',
  'The platform failed. Quote the request id to support.',
  (cause?: unknown) => ({
    message: 'Internal error. Quote this request id to support.',
    cause,
  }),
);
