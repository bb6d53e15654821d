import {
  answerNotKept,
  emptySegment,
  ERROR_STATUS,
  type ErrorCode,
  errorBody,
  expectationFailed,
  headersTooLarge,
  internalError,
  keyInUse,
  keyMissing,
  keyReused,
  malformedJson,
  type Operation,
  otherVersion,
  payloadTooLarge,
  quotaExceeded,
  rateLimited,
  type Refusal,
  requestTimeout,
  scopeMissing,
  serviceBusy,
  serviceTooSlow,
  serviceUnreachable,
  unsupportedContentEncoding,
  unsupportedMediaType,
  uriTooLong,
  validationFailed,
  weakTag,
} from '@event-commerce/contracts';
import type { JsonSchema } from './schema-options.ts';

/** The errors that `operation` can return, by code: first those of every operation of its kind, then its own. */
export function errorsOf(operation: Operation): Map<ErrorCode, Refusal[]> {
  const { method, scope, onRepeat, params, query, versioned, grows } = operation;
  const changes = method !== 'GET';
  const general: readonly (Refusal | false | undefined)[] = [
    emptySegment,
    (changes || query !== undefined || params !== undefined) && validationFailed,
    ...(changes ? [malformedJson, payloadTooLarge, unsupportedMediaType, unsupportedContentEncoding] : []),
    scope !== undefined && keyMissing,
    scope !== undefined && scope !== 'any' && scopeMissing,
    ...(scope === undefined ? [] : [rateLimited, serviceBusy]),
    ...(scope === undefined || scope === 'keys:admin' ? [] : [serviceUnreachable, serviceTooSlow]),
    ...(onRepeat === undefined ? [] : [answerNotKept, keyInUse, keyReused]),
    ...(versioned === 'changes' ? [otherVersion, weakTag] : []),
    grows && quotaExceeded,
    requestTimeout,
    uriTooLong,
    expectationFailed,
    headersTooLarge,
    internalError,
  ];
  const all = [...general, ...(operation.errors ?? [])].filter((one): one is Refusal => Boolean(one));
  return Map.groupBy(all, ({ code }) => code);
}

/** Whether the operation takes an Idempotency-Key. */
export function isIdempotent({ onRepeat }: Operation): boolean {
  return onRepeat !== undefined;
}

/** The body of `refusal`, as `operation` returns it. */
export function errorExample(refusal: Refusal, operation: Operation): object {
  const isOrder = operation.answer.form === 'order-created' && !OUTSIDE_ROUTES.has(refusal.code);
  const body = errorBody(refusal.example(), 'req_01k9q4m2x7f8vb3t6d5c0h0001');
  return { status: 'error', ...(isOrder ? { ok: false } : {}), ...body };
}

/** Returned before the operation is known. */
const OUTSIDE_ROUTES: ReadonlySet<ErrorCode> = new Set([
  'BAD_REQUEST',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
]);

export function statusOf(code: ErrorCode): number {
  return ERROR_STATUS[code];
}

/** The form of every error. */
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'The form of every error.',
  required: ['status', 'message', 'error'],
  properties: {
    status: { const: 'error' },
    ok: { const: false, description: 'Only if creating an order failed.' },
    message: { type: 'string', description: 'The same as error.message.' },
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(ERROR_STATUS),
          description: `For programs: it does not change. By status: ${errorList()}`,
        },
        message: { type: 'string', description: 'For people: it may change.' },
        requestId: {
          type: 'string',
          description: 'Identifies the request in the log; also in the header x-request-id.',
        },
        details: {
          type: 'array',
          description: 'The fields that the error is about, if there are any.',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string', description: 'Dotted, as the caller wrote it: order.customer.email' },
              message: { type: 'string' },
            },
            additionalProperties: {},
          },
        },
      },
    },
  },
};

/** The codes of all errors by status, as a list in Markdown. */
function errorList(): string {
  const byStatus = Map.groupBy(Object.entries(ERROR_STATUS), ([, status]) => status);
  return Array.from(
    byStatus,
    ([status, errors]) => `${status} ${errors.map(([code]) => `\`${code}\``).join(' ')}`,
  ).join(' · ');
}
