import { recordKey, type Tenant } from '@event-commerce/contracts';
import { inTurn } from './in-turn.ts';
import { isDuplicateKey, retryLost } from '../mongo/mongo.ts';

/**
 * For writes of documents that a unique index limits to one for each company and `key`. Here, writes of one key wait for
 * each other: at the index the database may reject all of them before the first one exists.
 *
 * The returned function throws what `taken` returns for the index's error if another document has the key.
 */
export function oneForEachKey() {
  const inOrder = inTurn();
  return async <T>(
    tenant: Tenant,
    key: string,
    write: () => Promise<T>,
    taken: (cause: unknown) => unknown,
  ): Promise<T> => {
    try {
      return await inOrder(recordKey(tenant, key), async () => retryLost(write));
    } catch (cause) {
      throw isDuplicateKey(cause) ? taken(cause) : cause;
    }
  };
}
