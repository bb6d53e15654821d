import type { Tenant } from '@event-commerce/contracts';
import { DB_TIMEOUT_MS, inTransaction, updateOrInsert } from '@event-commerce/service-kit';
import type { Collection, mongo } from 'mongoose';
import type { LedgerEntry, PoolCollections, PoolDocument } from './documents.ts';
import { idOfShare, poolOfShare } from './shares.ts';

/** How many entries of the ledger one call changes at most. */
const ENTRIES_MAX = 1_000;

/** A transition that is still being made ends sooner. */
const ABANDONED_AFTER_MS = 30_000;

/** When this process first saw notes of transitions that nobody seems to make. */
const seenSinceMs = new Map<string, number>();

interface Erased {
  tenant: Tenant;
  /** The customer's ids, which become the pseudonym. */
  ids: readonly string[];
  /** Other keys of the customer's shares, which become `PSEUDONYM.1` and so on: a claim may count in several. */
  keys?: readonly string[];
  pseudonym: string;
}

/**
 * Replaces the ids of a customer with a pseudonym in the ledger of some pools, and moves the customer's shares to it,
 * so that what was taken still counts. Returns what is left: `more` to do at once, or something that `waits` to be
 * settled. Safe to repeat, and while claims are made and released: a transition counts in the share of the id in the
 * ledger.
 *
 * The ledger comes before the shares: once no claim in a share is in progress, nothing changes the share.
 */
export async function eraseFromPools(
  { pools, shares, ledger, poolField }: PoolCollections & { shares: Collection<PoolDocument> },
  poolIds: readonly string[],
  { tenant, ids, keys = [], pseudonym }: Erased,
  abandonedAfterMs = ABANDONED_AFTER_MS,
): Promise<'done' | 'more' | 'waits'> {
  const names = new Map([
    ...ids.map((id) => [id, pseudonym] as const),
    ...keys.map((key, n) => [key, `${pseudonym}.${n + 1}`] as const),
  ]);
  const newIdOf = ({ _id }: PoolDocument) => {
    const { poolId, customerId: key } = poolOfShare(_id);
    return idOfShare(poolId, names.get(key) ?? key);
  };
  const ofCustomer = {
    companyId: tenant,
    [poolField]: { $in: [...poolIds] },
    $or: [{ customerId: { $in: [...ids] } }, ...(keys.length === 0 ? [] : [{ shares: { $in: [...keys] } }])],
  } as mongo.Filter<LedgerEntry>;
  const shareIds = poolIds.flatMap((poolId) => [...names.keys()].map((key) => idOfShare(poolId, key)));
  const found = await shares.find({ _id: { $in: shareIds }, companyId: tenant }).toArray();
  // From now on a transition finds the share of the pseudonym.
  for (const share of found) await createShare(shares, share, newIdOf(share));

  const entries = await ledger
    .find(ofCustomer, { projection: { _id: 1 } })
    .limit(ENTRIES_MAX)
    .toArray();
  const among = { $in: entries.map(({ _id }) => _id) };
  await ledger.updateMany({ _id: among, customerId: { $in: [...ids] } }, { $set: { customerId: pseudonym } });
  for (const key of keys) {
    await ledger.updateMany(
      { _id: among, shares: key },
      { $set: { 'shares.$[one]': names.get(key) ?? key } },
      { arrayFilters: [{ one: key }] },
    );
  }
  if (entries.length === ENTRIES_MAX) return 'more';

  const underWay = await pools.countDocuments(
    {
      _id: { $in: [...poolIds] },
      $or: [{ 'pending.customerId': { $in: [...ids] } }, { 'pending.shares': { $in: [...keys] } }],
    },
    { limit: 1 },
  );
  let waits = underWay > 0;
  for (const share of found) {
    const settled = await settleNotes({ pools, shares, ledger }, share, abandonedAfterMs);
    if (settled.pending.length > 0 || (settled.transitions ?? []).length > 0) waits = true;
    else if (!(await moveShare(shares, settled, newIdOf(share)))) waits = true;
  }
  return waits ? 'waits' : 'done';
}

async function createShare(shares: Collection<PoolDocument>, of: PoolDocument, _id: string): Promise<void> {
  const { companyId, definitionVersion } = of;
  const blank = { companyId, claimed: 0, pending: [], definitionVersion, version: 0 };
  await updateOrInsert(shares, { _id }, { $setOnInsert: blank });
}

/**
 * Removes notes of transitions that a crash left in a share. Either the ledger has the transition: then the sweep,
 * which knows it from the pool, looked for the note in the share of the pseudonym. Or it never began in the pool.
 */
async function settleNotes(
  {
    pools,
    shares,
    ledger,
  }: { [name in 'pools' | 'shares']: Collection<PoolDocument> } & {
    ledger: Collection<LedgerEntry>;
  },
  share: PoolDocument,
  abandonedAfterMs: number,
): Promise<PoolDocument> {
  for (const { id, by } of share.transitions ?? []) {
    const inPool = await pools.countDocuments({ _id: poolOfShare(share._id).poolId, 'transitions.by': by });
    const entry = await ledger.findOne({ _id: id });
    if (inPool > 0 || entry === null) continue;
    const step = entry.steps?.find((one) => one.by === by);
    const sinceMs = seenSinceMs.get(by) ?? performance.now();
    seenSinceMs.set(by, sinceMs);
    if (step === undefined && performance.now() - sinceMs < abandonedAfterMs) continue;
    seenSinceMs.delete(by);
    await shares.updateOne(
      { _id: share._id, 'transitions.by': by },
      {
        $pull: { transitions: { by }, ...(step === undefined ? {} : { pending: { id } }) },
        $inc: { version: 1, claimed: step?.claimed ?? 0 },
      },
    );
  }
  return (await shares.findOne({ _id: share._id })) ?? { ...share, pending: [], transitions: [] };
}

/** Moves what a share has taken to the pseudonym's share; false if the share has changed since it was read. */
async function moveShare(
  shares: Collection<PoolDocument>,
  { _id, version, claimed, definitionVersion, parentVersion }: PoolDocument,
  newId: string,
): Promise<boolean> {
  return await inTransaction(shares.conn, DB_TIMEOUT_MS, async (session) => {
    const { deletedCount } = await shares.deleteOne({ _id, version }, { session });
    if (deletedCount === 0) return (await shares.countDocuments({ _id }, { session })) === 0;
    const known = { definitionVersion, ...(parentVersion === undefined ? {} : { parentVersion }) };
    await shares.updateOne({ _id: newId }, { $inc: { claimed, version: 1 }, $max: known }, { session });
    return true;
  });
}
