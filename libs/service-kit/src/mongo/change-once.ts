import type { Caller } from '../http/http-app.ts';

/** More than the number of requests that change a record between two attempts at one of them. */
export const ATTEMPTS_KEPT = 20;

/** The caller who makes a change. With an Idempotency-Key they may retry, and it is made once. */
export type Asking = Pick<Caller, 'attempt'>;

/** For the `$push` of a change: the document keeps the ids of the attempts at requests that changed it last. */
export function pushAttempts(...ids: (string | undefined)[]) {
  const known = [...new Set(ids)].filter((id) => id !== undefined);
  return known.length === 0 ? {} : { attempts: { $each: known, $slice: -ATTEMPTS_KEPT } };
}

/** Whether an earlier attempt at the caller's request changed the record, even if it was changed again since. */
export function wasChangedBy({ attempt }: Asking, { attempts = [] }: { attempts?: readonly string[] }): boolean {
  return attempt !== undefined && attempts.includes(attempt.idSuffix);
}
