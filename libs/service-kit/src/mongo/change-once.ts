import type { Caller } from '../http/http-app.ts';

/** More requests than change a record while one of them is sent again. */
export const ATTEMPTS_KEPT = 20;

/** Whoever asks for a change: with an Idempotency-Key they may ask again, and it is made once. */
export type Asking = Pick<Caller, 'attempt'>;

/** For the `$push` of a change: the document keeps the ids of the attempts at requests that changed it last. */
export function pushAttempts(...ids: (string | undefined)[]) {
  const known = [...new Set(ids)].filter((id) => id !== undefined);
  return known.length === 0 ? {} : { attempts: { $each: known, $slice: -ATTEMPTS_KEPT } };
}

/** Whether an earlier try of the caller's request changed the record, whatever became of that since. */
export function wasChangedBy({ attempt }: Asking, { attempts = [] }: { attempts?: readonly string[] }): boolean {
  return attempt !== undefined && attempts.includes(attempt.idSuffix);
}
