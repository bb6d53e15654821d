import { ERROR_STATUS, type ErrorCode, type Operation, SCOPES } from '@event-commerce/contracts';
import type { JsonSchema } from './component-schemas.ts';

/** What a message reads like where no operation says it better, and when the error occurs. */
const GENERAL: Partial<Record<ErrorCode, { when: string; message: string; details?: readonly object[] }>> = {
  VALIDATION_FAILED: {
    when: 'The request breaks its schema or a rule; `details` say where and how.',
    message: 'effect.percent must be at most 100.',
    details: [{ path: 'effect.percent', message: 'must be at most 100' }],
  },
  MALFORMED_JSON: {
    when: 'The body is not JSON.',
    message: 'The body is not valid JSON: look at line 1, column 2.',
  },
  BAD_REQUEST: {
    when: 'The request is not valid HTTP, or its path is not a plain one.',
    message: 'The path has an empty segment.',
  },
  UNAUTHORIZED: {
    when: 'The key is missing or not valid, was revoked, or has expired.',
    message: 'Send your API key as "Authorization: Bearer <key>".',
  },
  FORBIDDEN: { when: 'The key lacks the scope.', message: 'This key lacks the scope orders:write.' },
  QUOTA_EXCEEDED: {
    when: 'The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.',
    message:
      'Your company may have at most 1,000,000 offerings. Change offerings that you have instead of creating new ones, or ask the operator to raise the quota offerings.',
    details: [
      {
        path: 'offerings',
        message: 'may be at most 1,000,000 offerings',
        quota: 'offerings',
        unit: 'count',
        limit: 1_000_000,
        used: 1_000_000,
      },
    ],
  },
  REQUEST_TIMEOUT: {
    when: 'The request took too long to arrive.',
    message: 'The request did not arrive in time.',
  },
  ALREADY_EXISTS: {
    when: 'The request with this Idempotency-Key was done, and its answer is not kept.',
    message:
      'The request with this Idempotency-Key was done. Its answer is not kept, because it held a secret or was too large.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    when: 'The request with this Idempotency-Key is still running.',
    message: 'The request with this Idempotency-Key is still running.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body is larger than 1 MiB.',
    message: 'The body may have at most 1048576 bytes.',
  },
  URI_TOO_LONG: {
    when: 'Path and query together are longer than 8,192 characters.',
    message: 'The path and query may have at most 8192 characters.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not sent as application/json, nor a PATCH as application/merge-patch+json.',
    message: 'Send JSON with content-type application/json; a PATCH also takes application/merge-patch+json.',
  },
  EXPECTATION_FAILED: {
    when: 'The `Expect` header holds something other than `100-continue`.',
    message: 'Leave out the Expect header, or send 100-continue: nothing else is supported.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    when: 'The Idempotency-Key was sent with another request.',
    message: 'This Idempotency-Key was sent with another request; use a new key for a new request.',
  },
  RATE_LIMITED: {
    when: 'Too many requests with this key, or from this address without a valid one. Wait as long as `Retry-After` says.',
    message: 'This key has sent too many requests; slow down.',
  },
  HEADERS_TOO_LARGE: { when: 'The headers are too large.', message: 'The headers are too large.' },
  INTERNAL_ERROR: {
    when: 'Something is wrong with the platform; the request id finds it in the log.',
    message: 'Something went wrong here; the request id finds it in the log.',
  },
  BAD_GATEWAY: {
    when: 'The service behind the gateway could not be reached.',
    message: 'The pricing service could not be reached.',
  },
  SERVICE_UNAVAILABLE: {
    when: 'Something that is needed does not answer now, or is busy. Try again.',
    message: 'The pricing service is busy; try again shortly.',
  },
  UPSTREAM_TIMEOUT: {
    when: 'The service behind the gateway did not answer in time.',
    message: 'The pricing service did not answer in time.',
  },
};

const SOLD_OUT = {
  path: 'order.coupons',
  message: 'allows 100 redemptions in all, none is left',
  reason: 'redemption-limit-reached',
  adjustmentId: 'adj_01k9q4m2x7f8vb3t6d5c0h0001',
  code: 'SUMMER20',
};

/** Messages of errors that operations name; what is not here reads as the operation says when it occurs. */
const MESSAGES: Partial<Record<ErrorCode, { message: string; details?: readonly object[] }>> = {
  COUPON_NOT_FOUND: { message: 'There is no coupon cpn_unknown.' },
  ADJUSTMENT_NOT_FOUND: { message: 'There is no adjustment adj_unknown.' },
  REDEMPTION_NOT_FOUND: { message: 'Adjustment adj_1 has no redemption rdm_unknown.' },
  CART_SESSION_NOT_FOUND: { message: 'There is no cart session cs_unknown.' },
  TABLE_COMMITMENT_NOT_FOUND: { message: 'There is no table commitment tbl_unknown.' },
  ORDER_NOT_FOUND: { message: 'There is no order ord_unknown.' },
  EVENT_NOT_FOUND: { message: 'There is no event evt_unknown.' },
  SERIES_NOT_FOUND: { message: 'There is no event series evt_unknown.' },
  INSTANCE_NOT_FOUND: { message: 'Series evt_1 has no instance evt_unknown.' },
  PURCHASE_GROUP_NOT_FOUND: { message: 'This event has no purchase group pg_unknown.' },
  OFFERING_NOT_FOUND: { message: 'There is no offering off_unknown.' },
  API_KEY_NOT_FOUND: { message: 'There is no API key with this id.' },
  QUOTA_EXCEEDED: {
    message:
      'Your active and scheduled adjustments need more memory than one company may have (ADJUSTMENT_CACHE_MB). Archive those that you no longer need, or ask the operator to raise it.',
    details: [
      { path: 'pricing.adjustments', message: 'exceed the quota ADJUSTMENT_CACHE_MB', quota: 'ADJUSTMENT_CACHE_MB' },
    ],
  },
  COUPON_CODE_TAKEN: {
    message: 'The code SUMMER20 is already held by another active adjustment.',
    details: [
      {
        path: 'code',
        message: 'is held by another active coupon or adjustment; archive that or choose another',
      },
    ],
  },
  ORDER_NUMBER_TAKEN: {
    message: 'Order number SUMMER-1001 belongs to an order with other content.',
    details: [{ path: 'order.orderNumber', message: 'is taken; choose another, or send the same content again' }],
  },
  REDEMPTION_HELD_BY_ORDER: {
    message: 'Order ord_01k9q4m2x7f8vb3t6d5c0h0007 uses this redemption. Cancel the order to give it back.',
    details: [
      {
        path: 'redemptionId',
        message: 'is used by order ord_01k9q4m2x7f8vb3t6d5c0h0007; cancel the order',
        orderId: 'ord_01k9q4m2x7f8vb3t6d5c0h0007',
      },
    ],
  },
  REDEMPTION_LIMIT_REACHED: {
    message: 'Code SUMMER20 cannot be redeemed: it allows 100 redemptions in all, none is left.',
    details: [SOLD_OUT],
  },
  ADJUSTMENT_NOT_APPLICABLE: {
    message: 'Code SUMMER20 cannot be redeemed: it ended at 2027-09-01T00:00:00.000Z, it is 2027-09-02T10:00:00.000Z.',
    details: [
      {
        path: 'order.coupons',
        message: 'ended at 2027-09-01T00:00:00.000Z, it is 2027-09-02T10:00:00.000Z',
        reason: 'ended',
        adjustmentId: 'adj_01k9q4m2x7f8vb3t6d5c0h0001',
        code: 'SUMMER20',
      },
    ],
  },
  TABLE_NOT_JOINABLE: {
    message: 'All 8 seats of table table-7 are taken.',
    details: [{ path: 'tableCommitmentId', message: 'All 8 seats of table table-7 are taken.' }],
  },
  VERSION_CONFLICT: { message: 'The record is being changed by others; read it and try again.' },
};

/** The errors that `operation` can answer, with when each occurs. */
export function errorsOf(operation: Operation): Map<ErrorCode, string> {
  const { method } = operation;
  const isAdministration = operation.scope === 'keys:admin';
  const changes = method !== 'GET';
  const codes: ErrorCode[] = ['BAD_REQUEST'];
  if (changes || operation.query !== undefined || operation.params !== undefined) codes.push('VALIDATION_FAILED');
  if (changes) codes.push('MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (operation.scope !== undefined) codes.push('UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE');
  if (operation.scope !== undefined && !isAdministration) codes.push('BAD_GATEWAY', 'UPSTREAM_TIMEOUT');
  if (isIdempotent(operation)) {
    codes.push('ALREADY_EXISTS', 'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED');
  }
  if (operation.grows === true) codes.push('QUOTA_EXCEEDED');
  codes.push('REQUEST_TIMEOUT', 'URI_TOO_LONG', 'EXPECTATION_FAILED', 'HEADERS_TOO_LARGE', 'INTERNAL_ERROR');
  const errors = new Map(codes.map((code) => [code, GENERAL[code]?.when ?? '']));
  for (const [code, when] of Object.entries(operation.errors ?? {}) as [ErrorCode, string][]) {
    const general = code === 'ALREADY_EXISTS' ? errors.get(code) : undefined;
    errors.set(code, general === undefined ? when : `${when} Or: ${general}`);
  }
  return errors;
}

/** Whether the operation takes an Idempotency-Key. */
export function isIdempotent({ onRepeat }: Operation): boolean {
  return onRepeat !== undefined;
}

/** The body that an error of `code` has, as an example. */
export function errorExample(code: ErrorCode, operation: Operation, when: string): object {
  const own = operation.errors?.[code] === undefined ? GENERAL[code] : (MESSAGES[code] ?? { message: when });
  const { message } = own ?? { message: when };
  const details = own?.details?.map((detail) =>
    detail === SOLD_OUT && operation.id === 'redeemAdjustment' ? { ...detail, path: 'quantity' } : detail,
  );
  return {
    status: 'error',
    ...(operation.answer.form === 'order-created' && !OUTSIDE_ROUTES.has(code) ? { ok: false } : {}),
    message,
    error: { code, message, requestId: 'req_01k9q4m2x7f8vb3t6d5c0h0001', ...(details ? { details } : {}) },
  };
}

/** Answered before it is known which operation was asked. */
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
    ok: { const: false, description: 'Of a failed order creation.' },
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
        requestId: { type: 'string', description: 'Finds the request in the log; also the header x-request-id.' },
        details: {
          type: 'array',
          description: 'Where there is something to point at.',
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
export function errorList(): string {
  const byStatus = Map.groupBy(Object.entries(ERROR_STATUS), ([, status]) => status);
  return Array.from(
    byStatus,
    ([status, errors]) => `${status} ${errors.map(([code]) => `\`${code}\``).join(' ')}`,
  ).join(' · ');
}

export const SCOPE_LIST = SCOPES.map((scope) => `\`${scope}\``).join(', ');
