/** The header in which the gateway tells a service which attempt of a request with an Idempotency-Key this is. */
export const ATTEMPT_HEADER = 'x-platform-attempt';

/** One of possibly several attempts of a request with an Idempotency-Key. */
export interface Attempt {
  /** The second half of the id of what the request creates: the same in every attempt, and sorted by time. */
  idSuffix: string;
  /** Whether an earlier attempt may have created it already. */
  repeated: boolean;
}

const AGAIN = ' again';
const ATTEMPT = /^([0-9a-hjkmnp-tv-z]{26})( again)?$/;

export function formatAttempt({ idSuffix, repeated }: Attempt): string {
  return repeated ? idSuffix + AGAIN : idSuffix;
}

/** Undefined for anything that `formatAttempt` did not produce. */
export function parseAttempt(text: string | undefined): Attempt | undefined {
  const [, idSuffix, again] = ATTEMPT.exec(text ?? '') ?? [];
  return idSuffix === undefined ? undefined : { idSuffix, repeated: again !== undefined };
}
