import { isDeepStrictEqual } from 'node:util';
import { PlatformError } from '@event-commerce/contracts';
import {
  batched,
  changeDocuments,
  inPages,
  insertEach,
  isWriteConflict,
  LATEST,
  notShownYet,
  retryLost,
} from '@event-commerce/service-kit';
import type { Collection, mongo } from 'mongoose';
import {
  changeOf,
  type Claim,
  KEEPS_PLACE,
  keepsPlace,
  type LedgerStatus,
  type Recorded,
  type State,
  type Transition,
} from './claim.ts';
import { IS_HELD, type LedgerEntry, type PendingTransition } from './documents.ts';

/** A claim to end, and how. */
interface Ending {
  claim: Claim;
  to: LedgerStatus;
  now: Date;
}

/** A claim in the ledger, and whose it is. `cancelled`: its revision of the order keeps another claim on the pool. */
export type Standing = Recorded<LedgerStatus | 'cancelled'> & Counted;

/** In whose shares a claim counts. */
interface Counted {
  customerId?: string | undefined;
  shares?: string[] | undefined;
}

/** How many held claims are read at a time: the sweep asks about the orders of that many at once. */
const HELD_TOGETHER = 500;

export type Ledger = ReturnType<typeof createLedger>;

/** The outcomes of claims. `poolField`: the field of entries that has the pool's id. */
export function createLedger(entries: Collection<LedgerEntry>, poolField: string) {
  const of = (poolId: string): mongo.Filter<LedgerEntry> => ({ [poolField]: poolId });

  const poolOf = (entry: LedgerEntry): string => String((entry as unknown as Record<string, unknown>)[poolField]);

  const toEntry = ({ claim, to, now }: Ending): LedgerEntry => {
    const { id, poolId, companyId, orderId, customerId, shares, code, revision, quantity, settledBy } = claim;
    const optional = {
      ...(customerId === undefined ? {} : { customerId }),
      ...(shares === undefined ? {} : { shares }),
      ...(code === undefined ? {} : { code }),
      ...(revision === undefined ? {} : { revision }),
    };
    return {
      _id: id,
      companyId,
      [poolField]: poolId,
      orderId,
      ...optional,
      quantity,
      settledBy,
      status: to,
      created: now,
    };
  };

  /**
   * Why the ledger rejected an entry of `claim`, although a read found none under the claim's own id. An error if the
   * entry that it was rejected for is gone, or not visible yet.
   */
  const whyRefused = async ({
    id,
    companyId,
    poolId,
    orderId,
    revision,
    quantity,
  }: Claim): Promise<Standing | Error> => {
    // Its own entry is found if the first read was from a member that did not show it yet.
    const own = await entries.findOne({ _id: id }, LATEST);
    if (own !== null) return standingOf(own);
    const other = await entries.findOne(
      { ...of(poolId), _id: { $ne: id }, orderId, ...ofRevision(revision), status: { $in: KEEPS_PLACE }, companyId },
      { projection: { _id: 1 } },
    );
    return other === null ? notShownYet() : { status: 'cancelled', quantity };
  };

  const standingOfEach = async (ids: readonly string[]): Promise<Map<string, Standing>> => {
    const found = ids.length === 0 ? [] : await entries.find({ _id: { $in: [...ids] } }).toArray();
    return new Map(found.map((entry) => [entry._id, standingOf(entry)]));
  };

  const enterAll = async (endings: readonly Ending[]): Promise<(Standing | Error)[]> => {
    // Many copies of an order may end the same claim at once: one entry is written for all of them.
    const once = [...new Map(endings.map((ending) => [keyOf(ending), ending])).values()];
    // A read costs a database less than an entry that it refuses.
    const entered = once.filter(({ claim }) => claim.status !== 'pending').map(({ claim }) => claim.id);
    const known = await standingOfEach(entered);
    const missing = once.filter(({ claim }) => !known.has(claim.id));
    const written = await insertEach(entries, missing.map(toEntry));
    const refused = missing.filter((_, index) => written[index] === false).map(({ claim }) => claim.id);
    for (const [id, standing] of await standingOfEach(refused)) known.set(id, standing);
    const outcomes = new Map<string, Standing | Error>();
    for (const [index, ending] of missing.entries()) {
      const { claim, to: status } = ending;
      const outcome = written[index];
      if (outcome instanceof Error) outcomes.set(keyOf(ending), outcome);
      else if (outcome === true) {
        const { quantity, customerId, shares } = claim;
        outcomes.set(keyOf(ending), { status, quantity, customerId, shares });
      } else if (!known.has(claim.id)) outcomes.set(keyOf(ending), await whyRefused(claim));
    }
    const outcomeOf = (ending: Ending) => outcomes.get(keyOf(ending)) ?? known.get(ending.claim.id);
    return endings.map((ending) => outcomeOf(ending) ?? notShownYet());
  };
  const enter = batched(enterAll);
  const change = changeDocuments(entries);

  return {
    /**
     * Records the outcome of the claim, unless it has an entry. Resolves with its state.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE if that stays unknown: retry
     */
    enter: async (ending: Ending): Promise<Standing> => await retryLost(async () => enter(ending), isLost),

    /**
     * Records a transition; concurrent calls are batched. Resolves with the state of the claim, and whether this
     * attempt made the transition: now, or earlier on behalf of the same note. It makes none if the claim counts in
     * other shares by the ledger, because its customer was erased since: the notes are then in the wrong ones. `before`:
     * the state as it was read, which is that of `from`. Every step leads to a state that the claim never had, so if it
     * is made from there, nothing came in between.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE while that is unknown: retry
     */
    async record(
      {
        id,
        companyId,
        poolId,
        customerId,
        shares,
      }: Pick<Claim, 'id' | 'companyId' | 'poolId' | 'customerId' | 'shares'>,
      { by, from, to }: Transition,
      before?: Standing,
    ): Promise<{ standing: Standing; isMade: boolean }> {
      const isMadeIn = ({ steps = [] }: Pick<LedgerEntry, 'steps'>) => steps.some((one) => one.by === by);
      const step = { by, ...changeOf({ from, to }) };
      const known = before && { customerId, shares, ...to, steps: [...(before.steps ?? []), step] };
      const transition = {
        id,
        where: {
          ...of(poolId),
          companyId,
          customerId: customerId ?? { $exists: false },
          shares: shares ?? { $exists: false },
          ...from,
        },
        update: { $set: { ...to }, $push: { steps: step } },
        isMadeIn,
        ...(known === undefined ? {} : { known }),
      };
      // The result removes a note for good, so a member that has just become primary must not answer.
      const entry = (await retryLost(async () => change(transition))) ?? (await entries.findOne({ _id: id }, LATEST));
      const isMade = entry !== null && isMadeIn(entry);
      const isLeft =
        entry?.status !== from.status || entry.quantity !== from.quantity || !countsWith(entry, { customerId, shares });
      // It may have become `from` since the write.
      if (entry === null || (!isMade && !isLeft)) throw notShownYet();
      return { standing: standingOf(entry), isMade };
    },

    /**
     * The claim in an entry.
     *
     * @throws {PlatformError} SERVICE_UNAVAILABLE while the entry is not visible: entries are never deleted
     */
    async claim(companyId: Claim['companyId'], poolId: string, id: string): Promise<Claim> {
      const entry = await entries.findOne({ ...of(poolId), _id: id, companyId });
      if (entry === null) throw notShownYet();
      return toClaim(entry, poolId);
    },

    /** The claims of all orders that wait, of every company, `HELD_TOGETHER` at a time, in no order. */
    async *held(): AsyncGenerator<Claim[]> {
      // As the partial index has it.
      const filter: mongo.Document = { ...IS_HELD, companyId: { $gt: '' } };
      const cursor = entries.find(filter, { projection: { created: 0, steps: 0 }, batchSize: HELD_TOGETHER });
      try {
        while (await cursor.hasNext()) {
          yield cursor.readBufferedDocuments().map((entry) => toClaim(entry, poolOf(entry)));
        }
      } finally {
        await cursor.close();
      }
    },

    /** The claims, of one company or of all, that orders of commerce have kept since before `time`. */
    async *keptSince(time: Date, companyId?: Claim['companyId']): AsyncGenerator<Claim> {
      // There is no index for them, so the whole ledger is read.
      for await (const entry of inPages(entries, '_id')) {
        const isOurs = companyId === undefined || entry.companyId === companyId;
        if (!keepsPlace(entry.status) || entry.settledBy !== 'commerce' || entry.created >= time || !isOurs) continue;
        yield toClaim(entry, poolOf(entry));
      }
    },

    async stateOf(id: string): Promise<State<LedgerStatus> | undefined> {
      return (await entries.findOne({ _id: id }, { projection: { status: 1, quantity: 1 } })) ?? undefined;
    },

    /** The entries of a share of a pool, by its key, that keep their places. */
    async keptInShare(poolId: string, key: string) {
      const found = await Promise.all(
        [{ customerId: key }, { shares: key }].map(async (counted) => {
          const filter: mongo.Filter<LedgerEntry> = { ...of(poolId), ...counted, status: { $in: KEEPS_PLACE } };
          return await entries.find(filter, { projection: { quantity: 1, status: 1 } }).toArray();
        }),
      );
      return [...new Map(found.flat().map((entry) => [entry._id, entry])).values()];
    },

    /** The entries of a pool that keep their places, of which there may be very many. */
    keptIn(poolId: string) {
      const filter: mongo.Filter<LedgerEntry> = { ...of(poolId), status: { $in: KEEPS_PLACE } };
      return inPages(entries, 'orderId', { filter, members: ['quantity', 'status', '_id'] });
    },

    /** The entries of claims with pending transitions, each with those of its steps that have a note. */
    async inTransition(notes: readonly PendingTransition[]) {
      if (notes.length === 0) return [];
      const noted = new Set(notes.map(({ by }) => by));
      const found = await entries.find({ _id: { $in: notes.map(({ id }) => id) } }).toArray();
      return found.map((entry) => ({ ...entry, steps: entry.steps?.filter(({ by }) => noted.has(by)) ?? [] }));
    },
  };
}

function toClaim({ _id, created: _created, steps: _steps, ...fields }: LedgerEntry, poolId: string): Claim {
  return { ...fields, id: _id, poolId };
}

/** `null` finds claims of new orders, which have no revision. */
function ofRevision(revision: number | undefined): mongo.Filter<LedgerEntry> {
  return { revision: revision ?? (null as never) };
}

function standingOf({ status, quantity, steps = [], customerId, shares }: Recorded<LedgerStatus> & Counted): Standing {
  return { status, quantity, steps, customerId, shares };
}

/** Whether two views of a claim count it in the same shares. */
export function countsWith(one: Counted, other: Counted): boolean {
  return one.customerId === other.customerId && isDeepStrictEqual(one.shares, other.shares);
}

/** Whether a retry shortly can decide what could not be decided now. */
function isLost(error: unknown): boolean {
  return isWriteConflict(error) || error instanceof PlatformError;
}

function keyOf({ claim, to }: Ending): string {
  return JSON.stringify([claim.id, to]);
}
