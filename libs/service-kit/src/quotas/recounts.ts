import { randomUUID } from 'node:crypto';
import { type QuotaName, type Tenant, tenantOfKey } from '@event-commerce/contracts';
import type { Collection } from 'mongoose';
import type { Loop } from '../concurrency/loop.ts';
import type { Logger } from '../process/logger.ts';

const RECOUNTED_AT_ONCE = 20;
/** Looks are this many times rarer while there is nothing to recount. */
const IDLE_LOOKS = 6;
/** The waiting time of a refused tenant counts this many times. */
const REFUSED_URGENCY = 10;

/** What a tenant uses, in the database of what it counts. */
export interface UsageDocument {
  _id: string;
  used: Partial<Record<QuotaName, number>>;
  /** What was reserved since the recount began. */
  since: Partial<Record<QuotaName, number>>;
  /** Whether something changed since the last recount began. */
  dirty?: boolean;
  refused?: boolean;
  /** The recount in progress. */
  recount?: { id: string; refused?: boolean };
}

/** When usage is recounted. */
export interface RecountTimes {
  lookEveryMs: number;
  /** A recount this old outlives every write that reserved its place before: the driver gives up after 30 s. */
  settledAfterMs: number;
  recountEveryMs: number;
  /** A tenant that was refused is recounted sooner: it may have room again. */
  recountRefusedMs: number;
}

export const RECOUNT_TIMES: RecountTimes = {
  lookEveryMs: 5_000,
  settledAfterMs: 40_000,
  recountEveryMs: 10 * 60_000,
  recountRefusedMs: 60_000,
};

type Open = Pick<UsageDocument, '_id' | 'used' | 'refused' | 'recount'>;

/** For how long a document has been unchanged. */
interface Aged {
  document: Open;
  ageMs: number;
}

/** A document and the recount in progress. */
const stateOf = ({ _id, recount }: Open): string => `${_id} ${recount?.id ?? ''}`;

/** Recounts what tenants have whose usage changed. One whose recount fails delays no other. */
export function recountLoop<Q extends QuotaName>(
  documents: Collection<UsageDocument>,
  recount: Readonly<Record<Q, (tenant: Tenant) => Promise<number>>>,
  times: RecountTimes,
  logger: Logger,
): Loop {
  const names = Object.keys(recount) as Q[];

  const beginRecount = async ({ _id, refused = false }: Open): Promise<void> => {
    await documents.updateOne(
      { _id, recount: { $exists: false } },
      { $set: { recount: { id: randomUUID(), refused }, since: {} }, $unset: { dirty: '', refused: '' } },
    );
  };

  const endRecount = async (_id: string, id: string, used: UsageDocument['used']): Promise<void> => {
    const counted = names.filter((name) => used[name] !== undefined);
    const found = await Promise.all(
      counted.map(async (name) => [name, await recount[name](tenantOfKey(_id))] as const),
    );
    const exact = found.map(([name, count]) => [`used.${name}`, { $add: [count, { $ifNull: [`$since.${name}`, 0] }] }]);
    await documents.updateOne({ _id, 'recount.id': id }, [
      ...(exact.length > 0 ? [{ $set: Object.fromEntries(exact) }] : []),
      { $unset: ['recount'] },
    ]);
  };

  const isDue = ({ document: { recount: under, refused }, ageMs }: Aged): boolean =>
    under === undefined && ageMs >= (refused === true ? times.recountRefusedMs : times.recountEveryMs);
  const isSettled = ({ document, ageMs }: Aged): boolean =>
    document.recount !== undefined && ageMs >= times.settledAfterMs;
  const wasRefused = ({ document: { refused, recount: under } }: Aged): boolean =>
    refused === true || under?.refused === true;
  const urgencyOf = (aged: Aged): number => aged.ageMs * (wasRefused(aged) ? REFUSED_URGENCY : 1);

  /**
   * Since when each document has been unchanged, by this process's monotonic clock: setting the wall clock has no
   * effect.
   */
  let seenMs = new Map<string, number>();

  const lookForRecounts = async (): Promise<boolean> => {
    const open = await documents
      .find({ $or: [{ dirty: true }, { recount: { $exists: true } }] })
      .project<Open>({ used: 1, refused: 1, recount: 1 })
      .toArray();
    const nowMs = performance.now();
    const before = seenMs;
    seenMs = new Map(open.map(stateOf).map((state) => [state, before.get(state) ?? nowMs]));
    const aged = open.map((document) => ({ document, ageMs: nowMs - (seenMs.get(stateOf(document)) ?? nowMs) }));
    const [beginning, ending] = [aged.filter(isDue), aged.filter(isSettled)];
    // Nobody waits for ever: a tenant that waits grows more urgent than any that are refused again and again.
    const urgent = ending.toSorted(
      (a, b) => urgencyOf(b) - urgencyOf(a) || Number(wasRefused(b)) - Number(wasRefused(a)),
    );
    for (const { document } of [...beginning, ...urgent.slice(0, RECOUNTED_AT_ONCE)]) {
      const { _id, used, recount: under } = document;
      try {
        if (under === undefined) await beginRecount(document);
        else await endRecount(_id, under.id, used);
      } catch (err) {
        // Retried only after as long again, so that it does not take the turns of others.
        seenMs.set(stateOf(document), performance.now());
        logger.warn({ err, tenant: _id }, 'recounting the usage of a tenant failed; will retry later');
      }
    }
    return open.length > 0;
  };

  const everyMs = times.lookEveryMs;
  return { name: 'recount of quotas', everyMs, idleMs: IDLE_LOOKS * everyMs, run: lookForRecounts };
}
