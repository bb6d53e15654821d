import type { components } from './api.generated.ts';

type ErrorAnswer = components['schemas']['Error'];

/**
 * An error response that did not come from the platform, such as a load balancer's page, in the form of one that did.
 */
export interface UnknownError {
  status: 'error';
  message: string;
  error: { code: 'UNKNOWN'; message: string; requestId?: never; details?: never };
}

/** The error of a 304, for a caller who needs data. */
const NOT_MODIFIED = {
  code: 'NOT_MODIFIED',
  message: 'Not modified: use the copy that you have.',
  requestId: undefined,
  details: undefined,
} as const;

/** A response of the platform that has no data: an error, or a 304. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** For programs. `NOT_MODIFIED` for a 304; `UNKNOWN` if the response did not come from the platform. */
  readonly code: ErrorAnswer['error']['code'] | 'UNKNOWN' | 'NOT_MODIFIED';
  readonly requestId: string | undefined;
  readonly details: NonNullable<ErrorAnswer['error']['details']>;

  constructor(status: number, answer: unknown) {
    const { error } = status === 304 ? { error: NOT_MODIFIED } : errorAnswer(status, answer);
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.requestId = error.requestId;
    this.details = error.details ?? [];
  }
}

/** `answer`, the body of a response with `status`, if the platform sent it. */
export function errorAnswer(status: number, answer: unknown): ErrorAnswer | UnknownError {
  if (isErrorAnswer(answer)) return answer;
  return status < 300
    ? unknownError(status, 'has no envelope with `data`; an export is text, so read it without dataOf')
    : unknownError(status);
}

export function unknownError(status: number, what = 'did not come from Event Commerce'): UnknownError {
  const message = `HTTP ${status} ${what}.`;
  return { status: 'error', message, error: { code: 'UNKNOWN', message } };
}

function isErrorAnswer(answer: unknown): answer is ErrorAnswer {
  const { error } = (answer ?? {}) as { error?: { code?: unknown } | null };
  return typeof error?.code === 'string';
}
