import type { Tenant } from '@event-commerce/contracts';
import { inPages } from '@event-commerce/service-kit';
import type { Collection } from 'mongoose';
import { type Counts, countsAs, type PendingClaim, type Step } from './claim.ts';
import { type LedgerEntry, type PoolCollections, type PoolDocument } from './documents.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { poolOfShare } from './shares.ts';

/** Counters that differ from the sum of the ledger and the pending claims: a pool's, or one customer's share of it. */
interface Difference {
  companyId: Tenant;
  poolId: string;
  customerId?: string;
  counted: Counts;
  expected: Counts;
  repaired: boolean;
}

type Kept = Pick<LedgerEntry, '_id' | 'quantity' | 'status'>;

/** How often the same counters are read before a difference counts as real: claims continue during the reads. */
const READINGS = 3;

/**
 * Compares the counters of pools and shares, of one company or of all, with the ledger, and corrects them with
 * `repair`. Safe while processes run: a counter is set only if nothing changed it since it was read.
 */
export async function* compareCounters(
  { pools, shares, ...of }: PoolCollections,
  { repair, companyId }: { repair: boolean; companyId?: Tenant | undefined },
): AsyncGenerator<Difference> {
  const ledger = createLedger(of.ledger, of.poolField);
  const isAsked = (one: Pick<PoolDocument, 'companyId'>) => companyId === undefined || one.companyId === companyId;
  for await (const pool of inPages(pools, '_id', { members: ['companyId'] })) {
    if (isAsked(pool)) yield* compareOne(pools, pool._id, ledger, { poolId: pool._id }, repair);
  }
  if (shares === undefined) return;
  for await (const share of inPages(shares, '_id', { members: ['companyId'] })) {
    if (isAsked(share)) yield* compareOne(shares, share._id, ledger, poolOfShare(share._id), repair);
  }
}

async function* compareOne(
  collection: Collection<PoolDocument>,
  _id: string,
  ledger: Ledger,
  about: { poolId: string; customerId?: string },
  repair: boolean,
): AsyncGenerator<Difference> {
  const { poolId, customerId } = about;
  for (let reading = 1; reading <= READINGS; reading++) {
    const document = await collection.findOne({ _id }, { projection: { outbox: 0, recent: 0 } });
    if (document === null) return;
    const { companyId, pending, transitions = [], confirmed = 0, claimed } = document;
    const counted = { confirmed, claimed };
    const inTransition = await ledger.inTransition(transitions);
    const kept = customerId === undefined ? ledger.keptIn(poolId) : await ledger.keptInShare(poolId, customerId);
    const expected = await expectedOf(pending, inTransition, kept);
    // A share does not count placed orders separately.
    if (customerId !== undefined) expected.confirmed = counted.confirmed;
    if (counted.confirmed === expected.confirmed && counted.claimed === expected.claimed) return;
    if (reading < READINGS) continue;
    const unchanged = { _id, version: document.version };
    const right = customerId === undefined ? expected : { claimed: expected.claimed };
    const set = async () => await collection.updateOne(unchanged, { $set: right, $inc: { version: 1 } });
    const repaired = repair && (await set()).matchedCount === 1;
    yield { companyId, ...about, counted, expected, repaired };
  }
}

/**
 * What the counters should say: a claim that is still pending counts as pending, whatever the ledger says about it, and
 * one with a pending transition counts as before it. The ledger may record the transition between two reads: then only
 * `inTransition` has that claim.
 */
async function expectedOf(
  pending: readonly PendingClaim[],
  inTransition: readonly (Kept & { steps: readonly Step[] })[],
  kept: AsyncIterable<Kept> | readonly Kept[],
): Promise<Counts> {
  const expected = { confirmed: 0, claimed: 0 };
  const add = ({ confirmed, claimed }: Counts): void => {
    expected.confirmed += confirmed;
    expected.claimed += claimed;
  };
  const pendingIds = new Set(pending.map(({ id }) => id));
  const changingIds = new Set(inTransition.map(({ _id }) => _id));
  for (const { quantity } of pending) add(countsAs({ status: 'pending', quantity }));
  for (const { steps, ...entry } of inTransition) {
    if (pendingIds.has(entry._id)) continue;
    add(countsAs(entry));
    for (const { claimed, confirmed } of steps) add({ claimed: -claimed, confirmed: -confirmed });
  }
  for await (const entry of kept) {
    if (!pendingIds.has(entry._id) && !changingIds.has(entry._id)) add(countsAs(entry));
  }
  return expected;
}
