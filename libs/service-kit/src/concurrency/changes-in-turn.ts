import { recordKey, type Tenant } from '@event-commerce/contracts';
import { keyedMutex } from './keyed-mutex.ts';
import { retryOnConflict, versionConflict } from './retry-on-conflict.ts';

/**
 * Returns a function that makes changes of one record take turns within this process, so that a hundred of them cost a
 * hundred writes. Each runs until it wins against other processes too: see `retryOnConflict`. `what` names the record,
 * such as `The event`.
 */
export function changesInTurn(
  what: string,
): <T>(tenant: Tenant, id: string, attempt: () => Promise<T | undefined>) => Promise<T> {
  const inTurnOf = keyedMutex();
  const conflict = versionConflict(what);
  return async (tenant, id, attempt) => inTurnOf(recordKey(tenant, id), async () => retryOnConflict(attempt, conflict));
}
