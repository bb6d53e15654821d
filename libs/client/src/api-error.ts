import type { components } from './api.generated.ts';

type ErrorAnswer = components['schemas']['Error'];

/** An error response that did not come from the platform, such as a load balancer's page, in the form of one that did. */
export interface UnknownError {
  status: 'error';
  message: string;
  error: { code: 'UNKNOWN'; message: string; requestId?: never; details?: never };
}

/** An error response of the platform. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** For programs; `UNKNOWN` if the response did not come from the platform. */
  readonly code: ErrorAnswer['error']['code'] | 'UNKNOWN';
  readonly requestId: string | undefined;
  readonly details: NonNullable<ErrorAnswer['error']['details']>;

  constructor(status: number, answer: unknown) {
    const { error } = errorAnswer(status, answer);
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
  const message = `HTTP ${status} did not come from Event Commerce.`;
  return { status: 'error', message, error: { code: 'UNKNOWN', message } };
}

function isErrorAnswer(answer: unknown): answer is ErrorAnswer {
  const { error } = (answer ?? {}) as { error?: { code?: unknown } | null };
  return typeof error?.code === 'string';
}
