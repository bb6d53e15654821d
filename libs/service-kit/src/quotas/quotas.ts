import {
  keyOfTenant,
  PlatformError,
  quotaExceeded,
  type QuotaLimits,
  type QuotaName,
  type QuotaUse,
  type Tenant,
  tenantOfKey,
  tryAgainShortly,
} from '@event-commerce/contracts';
import type { Connection } from 'mongoose';
import { batched } from '../concurrency/batched.ts';
import { inTime } from '../concurrency/in-time.ts';
import { DB_TIMEOUT_MS } from '../process/limits.ts';
import type { Logger } from '../process/logger.ts';
import { isDuplicateKey, retryLost } from '../mongo/mongo.ts';
import { type Change, mapAmounts, partsOf, sum } from './amounts.ts';
import { RECOUNT_TIMES, recountLoop, type RecountTimes, type UsageDocument } from './recounts.ts';

/** One document for each tenant, in the database of what it counts. */
const COLLECTION = 'quotas';
const RETRIES_MAX = 3;
const STILL_COUNTING = 'Your usage is still being counted; try again shortly.';

export type Quotas<Q extends QuotaName = QuotaName> = ReturnType<typeof createQuotas<Q>>;

/** For tools that only repair: they count nothing, and are never refused. */
export const noQuotas = { use: async <T>(_tenant: Tenant, _change: unknown, write: () => Promise<T>) => await write() };

/**
 * Counts what each tenant stores, and enforces `limits`. A place is reserved before the record is written, by one
 * conditional update of the tenant's own document, so that no number of writers or replicas exceeds a limit. A recount
 * corrects what a crash or a lost connection leaves reserved, and what the database removes on its own: at most every
 * ten minutes, in the background, from `recount`, which returns what the tenant has. Until then a tenant may appear to
 * have a little more than it has. Only a release at the very moment of a recount may be counted twice, until the next
 * one.
 */
export function createQuotas<Q extends QuotaName>(
  connection: Connection,
  options: {
    limits: Pick<QuotaLimits, NoInfer<Q>>;
    recount: Readonly<Record<Q, (tenant: Tenant) => Promise<number>>>;
    logger: Logger;
    times?: RecountTimes;
  },
) {
  const { limits, recount } = options;
  const names = Object.keys(recount) as Q[];
  const documents = connection.collection<UsageDocument>(COLLECTION);

  const countMissing = async (tenant: Tenant): Promise<void> => {
    const _id = keyOfTenant(tenant);
    try {
      await documents.updateOne({ _id }, { $setOnInsert: { used: {}, since: {} } }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const document = await documents.findOne({ _id });
    for (const name of names) {
      if (document?.used[name] !== undefined) continue;
      const found = await recount[name](tenant);
      await documents.updateOne({ _id, [`used.${name}`]: { $exists: false } }, { $set: { [`used.${name}`]: found } });
    }
  };

  /** The tenants that are being counted for the first time. */
  const counting = new Map<Tenant, Promise<void>>();

  /**
   * Starts counting a new tenant, or a kind that a later release counts. If that takes longer than a request waits, it
   * continues, and a later request finds the result.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  const seed = async (tenant: Tenant): Promise<void> => {
    let running = counting.get(tenant);
    if (running === undefined) {
      running = countMissing(tenant).finally(() => counting.delete(tenant));
      counting.set(tenant, running);
    }
    await inTime(running, DB_TIMEOUT_MS, STILL_COUNTING);
  };

  const take = async (tenant: Tenant, change: Change<Q>): Promise<boolean> => {
    const parts = partsOf(change);
    const room = parts.map(([name, count]) => [`used.${name}`, { $lte: limits[name] - count }]);
    const steps = parts.flatMap(([name, count]) => [
      [`used.${name}`, count],
      [`since.${name}`, count],
    ]);
    const filter = { _id: keyOfTenant(tenant), ...Object.fromEntries(room) };
    const update = { $inc: Object.fromEntries(steps), $set: { dirty: true } };
    const { matchedCount } = await retryLost(async () => documents.updateOne(filter, update));
    return matchedCount > 0;
  };

  /**
   * Reserves room for as many of `changes` as fit, in their order, with as few commands as for one. The outcome of each
   * is true, or the reason for its refusal; false if one of its kinds was never counted.
   */
  const takeWhatFits = async (tenant: Tenant, changes: readonly Change<Q>[]): Promise<(boolean | PlatformError)[]> => {
    const _id = keyOfTenant(tenant);
    let outcomes: (boolean | PlatformError)[] = changes.map(() => true);
    for (let retries = 0; outcomes.includes(true); retries++) {
      const fitting = changes.filter((_, n) => outcomes[n] === true);
      if (await take(tenant, sum(fitting))) break;
      let used = (await documents.findOne({ _id }))?.used ?? {};
      outcomes = changes.map((change) => {
        const parts = partsOf(change);
        if (parts.some(([name]) => used[name] === undefined)) return false;
        const refusal = refusalOf(used, change);
        if (refusal !== undefined) return refusal;
        // Others keep taking the room.
        if (retries === RETRIES_MAX) return exceeded(parts[0]?.[0] as Q, 0);
        used = sum([used, change]);
        return true;
      });
    }
    if (outcomes.some((outcome) => outcome instanceof PlatformError)) {
      await documents.updateOne({ _id }, { $set: { dirty: true, refused: true } });
    }
    return outcomes;
  };

  const refusalOf = (used: UsageDocument['used'], change: Change<Q>): PlatformError | undefined => {
    for (const [name, count] of partsOf(change)) {
      const now = used[name] ?? 0;
      if (now + count > limits[name]) return exceeded(name, now);
    }
    return undefined;
  };

  const exceeded = (name: Q, now: number): PlatformError => quotaExceeded(name, limits[name], now);

  /** Requests that arrive while a command of their tenant runs share the next one. */
  const taking = batched<{ tenant: Tenant; change: Change<Q> }, boolean>(
    async (wanted, key) => {
      try {
        const changes = wanted.map(({ change }) => change);
        return await takeWhatFits(tenantOfKey(key), changes);
      } catch (error) {
        // Not retried: its effect is unknown until the recount.
        return wanted.map(() => error as Error);
      }
    },
    { key: ({ tenant }) => keyOfTenant(tenant) },
  );

  const reserve = async (tenant: Tenant, change: Change<Q>): Promise<void> => {
    for (let retries = 0; !(await taking({ tenant, change })); retries++) {
      if (retries === RETRIES_MAX) throw tryAgainShortly(STILL_COUNTING);
      await seed(tenant);
    }
  };

  const release = async (tenant: Tenant, change: Change<Q>): Promise<void> => {
    const steps = partsOf(change).map(([name, count]) => [`used.${name}`, -count]);
    if (steps.length === 0) return;
    await documents
      .updateOne(
        { _id: keyOfTenant(tenant) },
        {
          $inc: Object.fromEntries(steps),
          $set: { dirty: true },
        },
      )
      .catch((err: unknown) => options.logger.warn({ err }, 'a quota is corrected by its next recount'));
  };

  return {
    /**
     * Runs `write`, which changes what `tenant` stores by `change`, if there is room for all of it. A decrease is
     * released once `write` resolves. An increase is released if nothing was written: `write` returned undefined, or
     * threw an error that says so.
     *
     * @throws {PlatformError} QUOTA_EXCEEDED, and what `write` throws
     */
    async use<T>(tenant: Tenant, change: Change<Q>, write: () => Promise<T>): Promise<T> {
      const grows = mapAmounts(change, (amount) => Math.max(amount, 0));
      const shrinks = mapAmounts(change, (amount) => Math.max(-amount, 0));
      if (Object.keys(grows).length > 0) await reserve(tenant, grows);
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

    /** What `tenant` uses now, and its limits. */
    async usage(tenant: Tenant): Promise<Record<Q, QuotaUse>> {
      const _id = keyOfTenant(tenant);
      let document = await documents.findOne({ _id });
      if (names.some((name) => document?.used[name] === undefined)) {
        await seed(tenant);
        document = await documents.findOne({ _id });
      }
      const uses = names.map((name): [Q, QuotaUse] => [
        name,
        { count: { used: Math.max(document?.used[name] ?? 0, 0), limit: limits[name] } },
      ]);
      return Object.fromEntries(uses) as Record<Q, QuotaUse>;
    },

    /** The process starts it once. */
    recounts: recountLoop(documents, recount, options.times ?? RECOUNT_TIMES, options.logger),
  };
}

/** Whether `error` says for certain that nothing was written. */
function wroteNothing(error: unknown): boolean {
  return (error instanceof PlatformError && error.statusCode < 500) || isDuplicateKey(error);
}
