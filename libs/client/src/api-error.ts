import type { components } from './api.generated.ts';

type ErrorAnswer = components['schemas']['Error'];

/** An error response of the platform. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** For programs; `UNKNOWN` if the response did not come from the platform. */
  readonly code: ErrorAnswer['error']['code'] | 'UNKNOWN';
  readonly requestId: string | undefined;
  readonly details: NonNullable<ErrorAnswer['error']['details']>;

  constructor(status: number, answer: unknown) {
    const error = isErrorAnswer(answer) ? answer.error : undefined;
    super(error?.message ?? `HTTP ${status} did not come from Event Commerce.`);
    this.status = status;
    this.code = error?.code ?? 'UNKNOWN';
    this.requestId = error?.requestId;
    this.details = error?.details ?? [];
  }
}

function isErrorAnswer(answer: unknown): answer is ErrorAnswer {
  return typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'object';
}
