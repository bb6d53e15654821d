import { randomUUID } from 'node:crypto';
import {
  type Amount,
  keyOfTenant,
  PlatformError,
  quotaExceeded,
  type QuotaLimits,
  type QuotaName,
  type QuotaUse,
  type Tenant,
} from '@event-commerce/contracts';
import mongoose, { type Connection } from 'mongoose';
import type { StoredDocument } from './collection.ts';
import { batched } from './concurrency/batched.ts';
import type { Logger } from './logger.ts';
import { startLoop } from './concurrency/loop.ts';
import { isDuplicateKey, retryLost } from './mongo.ts';

/** One document for each tenant, in the database of what it counts. */
const COLLECTION = 'quotas';
const LOOK_EVERY_MS = 5_000;
/** Every write that took its place before a recount began has ended when it is this old: the driver gives up after 30 s. */
const SETTLED_AFTER_MS = 40_000;
const RECOUNT_EVERY_MS = 10 * 60_000;
/** A tenant that was refused is counted anew sooner: what it is refused for may be gone. */
const RECOUNT_REFUSED_MS = 60_000;
const RECOUNTED_AT_ONCE = 20;
const SEEDINGS_MAX = 3;

interface UsageDocument<Q extends string> {
  _id: string;
  used: Partial<Record<Q, Amount>>;
  /** What was taken since the recount began. */
  since: Partial<Record<Q, Amount>>;
  /** Whether something changed since the last recount began. */
  dirty?: boolean;
  refused?: boolean;
  /** The recount under way. */
  recount?: { id: string };
}

type Change<Q extends string> = Partial<Record<Q, Amount>>;

export type Quotas<Q extends QuotaName = QuotaName> = ReturnType<typeof createQuotas<Q>>;

/** For tools that only repair: they count nothing, and are refused nothing. */
export const noQuotas = { use: async <T>(_tenant: Tenant, _change: unknown, write: () => Promise<T>) => await write() };

/**
 * Counts what each tenant keeps, and lets nobody have more than `limits` say. A place is taken before what needs it is written,
 * by one conditional update of the tenant's own document, so that no number of writers or replicas passes a limit. What a crash or a
 * lost connection leaves taken, and what the database removes by itself, a recount puts right: at most every ten minutes, in the
 * background, from `recount`, which says what the tenant has. Meanwhile a tenant may seem to have a little more than it has; only a release
 * that takes effect at the very moment of a recount may be counted twice, until the next.
 */
export function createQuotas<Q extends QuotaName>(
  connection: Connection,
  options: {
    limits: Pick<QuotaLimits, NoInfer<Q>>;
    recount: Readonly<Record<Q, (tenant: Tenant) => Promise<Amount>>>;
    logger: Logger;
    times?: { lookEveryMs: number; settledAfterMs: number; recountEveryMs: number; recountRefusedMs: number };
  },
) {
  const { limits, recount } = options;
  const names = Object.keys(recount) as Q[];
  const documents = connection.collection<UsageDocument<Q>>(COLLECTION) as unknown as mongoose.mongo.Collection<
    UsageDocument<Q>
  >;
  const times = options.times ?? {
    lookEveryMs: LOOK_EVERY_MS,
    settledAfterMs: SETTLED_AFTER_MS,
    recountEveryMs: RECOUNT_EVERY_MS,
    recountRefusedMs: RECOUNT_REFUSED_MS,
  };

  /** Begins to count what is not counted yet: of a tenant, or of a kind that a later release counts. */
  const seed = async (tenant: Tenant, missing: readonly Q[]): Promise<void> => {
    const _id = keyOfTenant(tenant);
    try {
      await documents.updateOne({ _id }, { $setOnInsert: { used: {}, since: {} } }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    for (const name of missing) {
      const found = await recount[name](tenant);
      await documents.updateOne({ _id, [`used.${name}`]: { $exists: false } }, { $set: { [`used.${name}`]: found } });
    }
  };

  const take = async (tenant: Tenant, change: Change<Q>): Promise<boolean> => {
    const parts = Object.entries(change) as [Q, Amount][];
    // What does not grow asks for no room: a limit that was lowered takes nothing away.
    const room = parts.flatMap(([name, { count, bytes }]) => [
      ...(count > 0 ? [[`used.${name}.count`, { $lte: limits[name].count - count }]] : []),
      ...(bytes > 0 ? [[`used.${name}.bytes`, { $lte: limits[name].bytes - bytes }]] : []),
    ]);
    const steps = parts.flatMap(([name, { count, bytes }]) =>
      (['used', 'since'] as const).flatMap((where) => [
        [`${where}.${name}.count`, count],
        [`${where}.${name}.bytes`, bytes],
      ]),
    );
    const filter = { _id: keyOfTenant(tenant), ...Object.fromEntries(room) };
    const update = { $inc: Object.fromEntries(steps), $set: { dirty: true } };
    const { matchedCount } = await retryLost(async () => documents.updateOne(filter as never, update as never));
    return matchedCount > 0;
  };

  const takeOrRefuse = async (tenant: Tenant, change: Change<Q>): Promise<true | PlatformError> => {
    for (let seedings = 0; ; seedings++) {
      if (await take(tenant, change)) return true;
      const document = await documents.findOne({ _id: keyOfTenant(tenant) } as never);
      const wanted = Object.keys(change) as Q[];
      const missing = wanted.filter((name) => document?.used[name] === undefined);
      if (missing.length > 0 && seedings < SEEDINGS_MAX) {
        await seed(tenant, missing);
        continue;
      }
      const refusal = refusalOf(document?.used ?? {}, change);
      // Somebody gave a place back in between.
      if (refusal === undefined && seedings < SEEDINGS_MAX) continue;
      await documents.updateOne({ _id: keyOfTenant(tenant) }, { $set: { dirty: true, refused: true } });
      return refusal ?? exceeded(wanted[0] as Q, 'count', { count: 0, bytes: 0 });
    }
  };

  const refusalOf = (used: Partial<Record<Q, Amount>>, change: Change<Q>): PlatformError | undefined => {
    for (const [name, { count, bytes }] of Object.entries(change) as [Q, Amount][]) {
      const now = used[name] ?? { count: 0, bytes: 0 };
      if (count > 0 && now.count + count > limits[name].count) return exceeded(name, 'count', now);
      if (bytes > 0 && now.bytes + bytes > limits[name].bytes) return exceeded(name, 'bytes', now);
    }
    return undefined;
  };

  const exceeded = (name: Q, unit: keyof Amount, now: Amount): PlatformError =>
    quotaExceeded(name, unit, limits[name][unit], now[unit]);

  /** What comes while a command of one tenant runs shares the next one. Where not all of it fits, each is tried by itself. */
  const taking = batched<{ tenant: Tenant; change: Change<Q> }, true>(async (wanted) => {
    const outcomes = new Map<(typeof wanted)[number], true | Error>();
    const groups = [...Map.groupBy(wanted, ({ tenant }) => tenant)];
    await Promise.all(
      groups.map(async ([tenant, group]) => {
        try {
          if (group.length > 1 && (await take(tenant, sum(group.map(({ change }) => change))))) {
            for (const one of group) outcomes.set(one, true);
            return;
          }
          for (const one of group) outcomes.set(one, await takeOrRefuse(tenant, one.change));
        } catch (error) {
          // Not made again: what of it took effect is not known, and the recount will tell.
          for (const one of group) if (!outcomes.has(one)) outcomes.set(one, error as Error);
        }
      }),
    );
    return wanted.map((one) => outcomes.get(one) ?? new Error('no outcome'));
  });

  const release = async (tenant: Tenant, change: Change<Q>): Promise<void> => {
    const steps = (Object.entries(change) as [Q, Amount][]).flatMap(([name, { count, bytes }]) => [
      [`used.${name}.count`, -count],
      [`used.${name}.bytes`, -bytes],
    ]);
    if (steps.length === 0) return;
    await documents
      .updateOne(
        { _id: keyOfTenant(tenant) },
        {
          $inc: Object.fromEntries(steps) as never,
          $set: { dirty: true } as never,
        },
      )
      .catch((err: unknown) => options.logger.warn({ err }, 'a quota is corrected by its next recount'));
  };

  const beginRecount = async (_id: string): Promise<void> => {
    await documents.updateOne({ _id, recount: { $exists: false } }, {
      $set: { recount: { id: randomUUID() }, since: {} },
      $unset: { dirty: '', refused: '' },
    } as never);
  };

  const endRecount = async (_id: string, id: string, used: Partial<Record<Q, Amount>>): Promise<void> => {
    const counted = names.filter((name) => used[name] !== undefined);
    const found = await Promise.all(
      counted.map(async (name) => [name, await recount[name](_id as unknown as Tenant)] as const),
    );
    const exact = found.flatMap(([name, amount]) =>
      (['count', 'bytes'] as const).map((unit) => [
        `used.${name}.${unit}`,
        { $add: [amount[unit], { $ifNull: [`$since.${name}.${unit}`, 0] }] },
      ]),
    );
    await documents.updateOne({ _id, 'recount.id': id }, [
      ...(exact.length > 0 ? [{ $set: Object.fromEntries(exact) }] : []),
      { $unset: ['recount'] },
    ]);
  };

  /** Since when each document has been as it is, by this process's own clock: a clock that is set decides nothing. */
  let seenMs = new Map<string, number>();

  const lookForRecounts = async (): Promise<void> => {
    const open = await documents
      .find({ $or: [{ dirty: true }, { recount: { $exists: true } }] } as never)
      .project<Pick<UsageDocument<Q>, '_id' | 'used' | 'refused' | 'recount'>>({ used: 1, refused: 1, recount: 1 })
      .toArray();
    const nowMs = performance.now();
    const before = seenMs;
    seenMs = new Map();
    let ended = 0;
    for (const { _id, used, refused, recount: under } of open) {
      const state = `${_id} ${under?.id ?? ''}`;
      const sinceMs = before.get(state) ?? nowMs;
      seenMs.set(state, sinceMs);
      const ageMs = nowMs - sinceMs;
      if (under === undefined) {
        if (ageMs >= (refused === true ? times.recountRefusedMs : times.recountEveryMs)) await beginRecount(_id);
      } else if (ageMs >= times.settledAfterMs && ended < RECOUNTED_AT_ONCE) {
        ended += 1;
        await endRecount(_id, under.id, used);
      }
    }
  };

  const stopRecounts = startLoop({
    name: 'recount of quotas',
    everyMs: times.lookEveryMs,
    logger: options.logger,
    run: lookForRecounts,
  });

  return {
    /**
     * Runs `write`, which changes what `tenant` keeps by `change`, if there is room for all of it. What shrinks is given back when it
     * has resolved, what grows when it turns out not to have been written: `write` answers undefined, or throws an error that says so.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED, and what `write` throws
     */
    async use<T>(tenant: Tenant, change: Change<Q>, write: () => Promise<T>): Promise<T> {
      const grows = part(change, (amount) => Math.max(amount, 0));
      const shrinks = part(change, (amount) => Math.max(-amount, 0));
      if (Object.keys(grows).length > 0) await taking({ tenant, change: grows });
      let written: T;
      try {
        written = await write();
      } catch (error) {
        if (wroteNothing(error)) await release(tenant, grows);
        throw error;
      }
      await release(tenant, written === undefined ? grows : shrinks);
      return written;
    },

    /** What `tenant` uses now, and may use. */
    async usage(tenant: Tenant): Promise<Record<Q, QuotaUse>> {
      const _id = keyOfTenant(tenant);
      let document = await documents.findOne({ _id } as never);
      const missing = names.filter((name) => document?.used[name] === undefined);
      if (missing.length > 0) {
        await seed(tenant, missing);
        document = await documents.findOne({ _id } as never);
      }
      const uses = names.map((name): [Q, QuotaUse] => {
        const { count = 0, bytes = 0 } = document?.used[name] ?? {};
        const limit = limits[name];
        return [
          name,
          {
            count: { used: Math.max(count, 0), limit: limit.count },
            bytes: { used: Math.max(bytes, 0), limit: limit.bytes },
          },
        ];
      });
      return Object.fromEntries(uses) as Record<Q, QuotaUse>;
    },

    stop: stopRecounts,
  };
}

/** Whether `error` says for certain that nothing was written. */
function wroteNothing(error: unknown): boolean {
  return (error instanceof PlatformError && error.statusCode < 500) || isDuplicateKey(error);
}

function part<Q extends string>(change: Change<Q>, of: (amount: number) => number): Change<Q> {
  const parts = (Object.entries(change) as [Q, Amount][])
    .map(([name, { count, bytes }]) => [name, { count: of(count), bytes: of(bytes) }] as const)
    .filter(([, { count, bytes }]) => count > 0 || bytes > 0);
  return Object.fromEntries(parts) as Change<Q>;
}

function sum<Q extends string>(changes: readonly Change<Q>[]): Change<Q> {
  const total: Change<Q> = {};
  for (const change of changes) {
    for (const [name, { count, bytes }] of Object.entries(change) as [Q, Amount][]) {
      const before = total[name] ?? { count: 0, bytes: 0 };
      total[name] = { count: before.count + count, bytes: before.bytes + bytes };
    }
  }
  return total;
}

/** What `document` weighs in the database, without the events that it only keeps until they are published. */
export function storedBytes(document: object): number {
  return mongoose.mongo.BSON.calculateObjectSize(
    { ...document, outbox: undefined },
    {
      ignoreUndefined: true,
    },
  );
}

/** What the documents of `collection` that `filter` finds are and weigh. `bytes`: how, if not as the database stores them. */
export async function amountOf<Doc extends StoredDocument>(
  collection: mongoose.Collection<Doc>,
  filter: mongoose.mongo.Filter<Doc>,
  bytes: unknown = { $bsonSize: '$$ROOT' },
): Promise<Amount> {
  const [found] = await collection
    .aggregate<Amount>([
      { $match: filter },
      { $project: { outbox: 0 } },
      { $group: { _id: null, count: { $sum: 1 }, bytes: { $sum: bytes } } },
    ])
    .toArray();
  return { count: found?.count ?? 0, bytes: found?.bytes ?? 0 };
}
