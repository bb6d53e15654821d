import { recordKey, type Tenant } from '@event-commerce/contracts';
import { keyedMutex } from './keyed-mutex.ts';
import { isDuplicateKey, retryLost } from '../mongo/mongo.ts';

/**
 * For writes of documents that a unique index limits to one for each company and `key`. Here, writes of one key wait
 * for each other: at the index the database may reject all of them before the first one exists.
 *
 * If another document has the key, the returned function throws what `refusalFrom` makes of the index's error, or
 * writes again if that is nothing: the other document has just released the key.
 */
export function oneForEachKey() {
  const inOrder = keyedMutex();
  return async <T>(
    tenant: Tenant,
    key: string,
    write: () => Promise<T>,
    refusalFrom: (cause: unknown) => unknown,
  ): Promise<T> =>
    inOrder(recordKey(tenant, key), async () => {
      for (;;) {
        try {
          return await retryLost(write);
        } catch (cause) {
          if (!isDuplicateKey(cause)) throw cause;
          const refusal = await refusalFrom(cause);
          if (refusal !== undefined) throw refusal;
        }
      }
    });
}
