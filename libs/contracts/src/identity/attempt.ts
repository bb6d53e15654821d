/** The header in which the gateway tells a service which try of a request with an Idempotency-Key it is serving. */
export const ATTEMPT_HEADER = 'x-platform-attempt';

/** One of perhaps several tries of a request with an Idempotency-Key. */
export interface Attempt {
  /** The second half of the id of what the request makes: the same at every try, and in order of time. */
  idSuffix: string;
  /** Whether an earlier try may have made it already. */
  repeated: boolean;
}

const AGAIN = ' again';
const ATTEMPT = /^([0-9a-hjkmnp-tv-z]{26})( again)?$/;

export function formatAttempt({ idSuffix, repeated }: Attempt): string {
  return repeated ? idSuffix + AGAIN : idSuffix;
}

/** Undefined for what `formatAttempt` did not make. */
export function parseAttempt(text: string | undefined): Attempt | undefined {
  const [, idSuffix, again] = ATTEMPT.exec(text ?? '') ?? [];
  return idSuffix === undefined ? undefined : { idSuffix, repeated: again !== undefined };
}
