import type { Tenant } from '@event-commerce/contracts';
import type { Collection, mongo } from 'mongoose';
import {
  type LedgerEntry,
  NO_DEFINITION,
  POOL,
  type PoolCollections,
  type PoolDocument,
  type PoolKind,
  SHARE,
} from './documents.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { quantityOf } from './plan.ts';
import { poolOfShare } from './shares.ts';

export interface Counts {
  confirmed: number;
  claimed: number;
}

/** Counters that differ from the sum of the ledger and the pending claims: a pool's, or one customer's share of it. */
export interface Difference {
  companyId: Tenant;
  poolId: string;
  customerId?: string;
  counted: Counts;
  expected: Counts;
  repaired: boolean;
}

/** Readings of the same counters before a difference counts as real: claims continue while they are read. */
const READINGS = 3;

/**
 * Compares the counters of pools and shares, of one company or of all, with the ledger, and corrects them with
 * `repair`. Safe beside running processes: a counter is set only if nothing changed it since it was read.
 */
export async function* compareCounters(
  { pools, shares, ...of }: PoolCollections,
  { repair, companyId }: { repair: boolean; companyId?: Tenant | undefined },
): AsyncGenerator<Difference> {
  const ledger = createLedger(of.ledger, of.poolField);
  const ofCompany: mongo.Filter<PoolDocument> = companyId === undefined ? {} : { companyId };
  for await (const { _id } of pools.find(ofCompany, { projection: { _id: 1 } })) {
    yield* compareOne(pools, POOL, _id, ledger, { poolId: _id }, repair);
  }
  // Those of other shares are rebuilt by the customer's next claim.
  const counted = { ...ofCompany, since: { $ne: NO_DEFINITION } };
  for await (const { _id } of shares.find(counted, { projection: { _id: 1 } })) {
    yield* compareOne(shares, SHARE, _id, ledger, poolOfShare(_id), repair);
  }
}

async function* compareOne(
  collection: Collection<PoolDocument>,
  { changes }: PoolKind,
  _id: string,
  ledger: Ledger,
  about: { poolId: string; customerId?: string },
  repair: boolean,
): AsyncGenerator<Difference> {
  const { poolId, ...share } = about;
  for (let reading = 1; reading <= READINGS; reading++) {
    const document = await collection.findOne({ _id }, { projection: { outbox: 0, recent: 0, counted: 0 } });
    if (document === null) return;
    const { companyId, pending, releasing = [], confirmed, claimed } = document;
    const counted = { confirmed, claimed };
    const entries = await ledger.entriesOf(poolId, { ...share, status: 'confirmed' });
    const expected = expectedOf([...entries, ...(await ledger.leaving(releasing))], pending);
    if (counted.confirmed === expected.confirmed && counted.claimed === expected.claimed) return;
    if (reading < READINGS) continue;
    const unchanged = { _id, [changes]: document[changes] ?? { $exists: false } };
    const set = async () => await collection.updateOne(unchanged, { $set: expected, $inc: { [changes]: 1 } });
    const repaired = repair && (await set()).matchedCount === 1;
    yield { companyId, ...about, counted, expected, repaired };
  }
}

/** A claim that is confirmed in the ledger but still pending counts once, as pending. */
function expectedOf(
  confirmed: readonly Pick<LedgerEntry, '_id' | 'quantity'>[],
  pending: readonly { id: string; quantity: number }[],
): Counts {
  const pendingIds = new Set(pending.map(({ id }) => id));
  const counted = quantityOf(confirmed.filter(({ _id }) => !pendingIds.has(_id)));
  return { confirmed: counted, claimed: counted + quantityOf(pending) };
}
