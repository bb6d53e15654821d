import type { Tenant } from '@event-commerce/contracts';
import type { Collection, mongo } from 'mongoose';
import { changeOf, type Counts, countsAs, KEEPS_PLACE, type Move, type PendingClaim } from './claim.ts';
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
import { poolOfShare } from './shares.ts';

/** Counters that differ from the sum of the ledger and the pending claims: a pool's, or one customer's share of it. */
export interface Difference {
  companyId: Tenant;
  poolId: string;
  customerId?: string;
  counted: Counts;
  expected: Counts;
  repaired: boolean;
}

type Kept = Pick<LedgerEntry, '_id' | 'quantity' | 'status'>;

/** Readings of the same counters before a difference counts as real: claims continue while they are read. */
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
  const ofCompany: mongo.Filter<PoolDocument> = companyId === undefined ? {} : { companyId };
  for await (const { _id } of pools.find(ofCompany, { projection: { _id: 1 } })) {
    yield* compareOne(pools, POOL, _id, ledger, { poolId: _id }, repair);
  }
  if (shares === undefined) return;
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
    const { companyId, pending, moving = [], confirmed, claimed } = document;
    const counted = { confirmed, claimed };
    const moved = await ledger.moved(moving);
    const kept = await ledger.entriesOf(poolId, { ...share, status: { $in: KEEPS_PLACE } });
    const expected = expectedOf(pending, moved, kept);
    if (counted.confirmed === expected.confirmed && counted.claimed === expected.claimed) return;
    if (reading < READINGS) continue;
    const unchanged = { _id, [changes]: document[changes] ?? { $exists: false } };
    const set = async () => await collection.updateOne(unchanged, { $set: expected, $inc: { [changes]: 1 } });
    const repaired = repair && (await set()).matchedCount === 1;
    yield { companyId, ...about, counted, expected, repaired };
  }
}

/**
 * What counters say that include every claim as it is: one that is still pending as pending, whatever the ledger says
 * of it, and one that is being moved as it was before. That one may move between two readings: only `moved` has it.
 */
function expectedOf(
  pending: readonly PendingClaim[],
  moved: readonly (Kept & { moves: readonly Pick<Move, 'from' | 'to'>[] })[],
  kept: readonly Kept[],
): Counts {
  const pendingIds = new Set(pending.map(({ id }) => id));
  const movedIds = new Set(moved.map(({ _id }) => _id));
  const parts = [
    ...pending.map(({ quantity }) => countsAs('pending', quantity)),
    ...moved
      .filter(({ _id }) => !pendingIds.has(_id))
      .flatMap(({ status, quantity, moves }) => [
        countsAs(status, quantity),
        ...moves.map(({ from, to }) => changeOf({ from: to, to: from }, quantity)),
      ]),
    ...kept
      .filter(({ _id }) => !pendingIds.has(_id) && !movedIds.has(_id))
      .map(({ status, quantity }) => countsAs(status, quantity)),
  ];
  return {
    confirmed: parts.reduce((sum, { confirmed }) => sum + confirmed, 0),
    claimed: parts.reduce((sum, { claimed }) => sum + claimed, 0),
  };
}
