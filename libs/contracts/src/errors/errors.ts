/** Every error code, and its HTTP status. */
export const ERROR_STATUS = {
  VALIDATION_FAILED: 400,
  MALFORMED_JSON: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UNSUPPORTED_VERSION: 404,
  COUPON_NOT_FOUND: 404,
  ADJUSTMENT_NOT_FOUND: 404,
  BUDGET_NOT_FOUND: 404,
  REDEMPTION_NOT_FOUND: 404,
  CART_SESSION_NOT_FOUND: 404,
  TABLE_COMMITMENT_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  SERIES_NOT_FOUND: 404,
  INSTANCE_NOT_FOUND: 404,
  PURCHASE_GROUP_NOT_FOUND: 404,
  OFFERING_NOT_FOUND: 404,
  API_KEY_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  REPLAY_NOT_FOUND: 404,
  ERASURE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  COUPON_CODE_TAKEN: 409,
  ORDER_NUMBER_TAKEN: 409,
  ORDER_EXPIRED: 409,
  ORDER_STATUS_CONFLICT: 409,
  REDEMPTION_LIMIT_REACHED: 409,
  REDEMPTION_HELD_BY_ORDER: 409,
  ADJUSTMENT_NOT_APPLICABLE: 409,
  PRICE_CHANGED: 409,
  AMENDMENT_NOT_FOUND: 404,
  AMENDMENT_PENDING: 409,
  AMENDMENT_EXPIRED: 409,
  AMENDMENT_STATUS_CONFLICT: 409,
  DATES_NOT_FOUND: 404,
  CODE_NOT_FOUND: 404,
  BATCH_NOT_FOUND: 404,
  REHEARSAL_NOT_FOUND: 404,
  REHEARSAL_RUNNING: 409,
  CALL_OFF_NOT_FOUND: 404,
  CALL_OFF_RUNNING: 409,
  REPRICE_UNAVAILABLE: 409,
  SOLD_OUT: 409,
  CUSTOMER_LIMIT_REACHED: 409,
  CART_ALREADY_ORDERED: 409,
  CART_CHANGED: 409,
  NOT_FOR_SALE: 409,
  TABLE_NOT_JOINABLE: 409,
  SEATS_TAKEN: 409,
  VERSION_CONFLICT: 409,
  ALREADY_EXISTS: 409,
  QUOTA_EXCEEDED: 409,
  WEBHOOK_NOT_ACTIVE: 409,
  REPLAY_UNDER_WAY: 409,
  CUSTOMER_HAS_PENDING_ORDERS: 409,
  IDEMPOTENCY_KEY_IN_USE: 409,
  CURSOR_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  UPSTREAM_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One place in the input that an error is about; `path` is dotted, as the caller wrote it (`order.customer.email`). */
export interface ErrorDetail {
  path: string;
  message: string;
  [extra: string]: unknown;
}

export interface ErrorOptions {
  details?: readonly ErrorDetail[];
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** The underlying error: for the log, never for the caller. */
  cause?: unknown;
}

/** An error whose code, message and details are meant for the caller of the API. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.statusCode = ERROR_STATUS[code];
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Whether `error` is a platform error with this code. */
export function hasCode(error: unknown, code: ErrorCode): error is PlatformError {
  return error instanceof PlatformError && error.code === code;
}

/** For what cannot be done now but can be retried shortly. `message` says so in whole sentences. */
export function tryAgainShortly(
  message: string,
  { seconds = 1, cause }: { seconds?: number; cause?: unknown } = {},
): PlatformError {
  return new PlatformError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: seconds, cause });
}

/** A refusal of the value at `path`. `message` continues the path: `must be in the future`. */
export function invalidInput(path: string, message: string, facts: Record<string, unknown> = {}): PlatformError {
  return new PlatformError('VALIDATION_FAILED', `${path} ${message}.`, { details: [{ path, message, ...facts }] });
}

/** The body of an error as services return it; the gateway adds `status` in front. */
export interface ErrorBody {
  message: string;
  error: { code: ErrorCode; message: string; requestId?: string; details?: readonly ErrorDetail[] };
}

const TEXT_LENGTH_MAX = 300;
const DETAILS_MAX = 500;

/** `error` as the body that the caller sees: of limited length, whatever the caller's own text in it. */
export function errorBody(error: PlatformError, requestId?: string): ErrorBody {
  const message = shortened(error.message);
  const details = error.details?.slice(0, DETAILS_MAX).map((detail) => ({
    ...detail,
    path: shortened(detail.path),
    message: shortened(detail.message),
  }));
  return {
    message,
    error: {
      code: error.code,
      message,
      ...(requestId === undefined ? {} : { requestId }),
      ...(details?.length ? { details } : {}),
    },
  };
}

/** The beginning of a text that is too long to return. */
export function shortened(text: string, lengthMax = TEXT_LENGTH_MAX): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`;
}

/**
 * The error that `body` describes: how a refusal crosses a request-reply call without losing its code or details.
 * `retryAfterSeconds` is sent next to the body.
 */
export function errorFromBody(body: ErrorBody, retryAfterSeconds?: number): PlatformError {
  const { code, message, details } = body.error;
  return new PlatformError(code in ERROR_STATUS ? code : 'INTERNAL_ERROR', message, {
    ...(details ? { details } : {}),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
