import { randomUUID } from 'node:crypto';
import { type OutboxEntry, outboxEntry } from '@event-commerce/outbox';
import { connectMongo, createLogger, newId, retryOnConflict } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  type Claim,
  compareCounters,
  createPools,
  type LedgerEntry,
  type PoolCollections,
  type PoolDefinition,
  type PoolDocument,
  type Pools,
} from '../src/index.ts';

// Pools of something other than redemptions, over a real database.

let mongo: mongoose.Connection;
let collections: PoolCollections;
beforeAll(async () => {
  mongo = await connectMongo(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}`, appName: 'test' });
});
afterAll(async () => {
  await mongo.dropDatabase();
  await mongo.close();
});
beforeEach(async () => {
  const name = randomUUID().slice(0, 8);
  collections = {
    pools: mongo.collection<PoolDocument>(`tickets_${name}`),
    shares: mongo.collection<PoolDocument>(`shares_${name}`),
    ledger: mongo.collection<LedgerEntry>(`sold_${name}`),
    poolField: 'ticketsOf',
  };
});

const logger = createLogger({ service: 'test', level: 'silent' });
const companyId = liveTenant('company-1');

/** A process that works on the pools. */
const processOn = (of: PoolCollections = collections): Pools =>
  createPools({ ...of, relay: { publish: () => {} }, toEntry: soldEntry, clock: () => new Date() });

function soldEntry(claim: Claim, status: 'confirmed' | 'lapsed' | 'released', now: Date): OutboxEntry {
  return outboxEntry(`redemption.${status}`, now, { extra: claim.id });
}

const tickets = (id: string, limit: number | undefined, version = 1): PoolDefinition => ({
  id,
  companyId,
  version,
  limit,
  customersSince: 1,
  about: { name: 'Front rows' },
});

const claimOn = (poolId: string, change: Partial<Claim> = {}): Claim => ({
  id: newId('rdm'),
  poolId,
  companyId,
  orderId: newId('ord'),
  key: randomUUID(),
  quantity: 1,
  status: 'pending',
  settledBy: 'commerce',
  attempts: ['a'],
  ...change,
});

const NO_SHARE = { limit: undefined, since: undefined };

/** Retries while others change the pool, like a real caller. */
const hold = async (pools: Pools, claim: Claim, pool: PoolDefinition) =>
  await retryOnConflict(
    async () => {
      const outcome = await pools.hold({ claim, pool, share: NO_SHARE });
      return outcome.kind === 'changed' ? undefined : outcome;
    },
    () => new Error('the pool keeps changing'),
    performance.now() + 20_000,
  );

async function countersOf(id: string) {
  const {
    confirmed = 0,
    claimed = 0,
    pending = [],
    releasing = [],
  } = (await collections.pools.findOne({ _id: id })) ?? {};
  return { confirmed, claimed, pending: pending.length, releasing: releasing.length };
}

async function sold(id: string): Promise<number> {
  const entries = await collections.ledger.find({ ticketsOf: id, status: 'confirmed' }).toArray();
  return entries.reduce((sum, { quantity }) => sum + quantity, 0);
}

const differences = async () => await Array.fromAsync(compareCounters(collections, { repair: false }));

describe('a pool that everybody wants', () => {
  test('is sold out to the last place and never oversold, whatever quantities race for it in two processes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 30, maxLength: 60 }),
        fc.integer({ min: 1, max: 60 }),
        async (quantities, limit) => {
          const id = newId('off');
          const processes = [processOn(), processOn()];
          const outcomes = await Promise.all(
            quantities.map(async (quantity, n) => {
              const pools = processes[n % 2] as Pools;
              return { quantity, outcome: await hold(pools, claimOn(id, { quantity }), tickets(id, limit)) };
            }),
          );
          const held = outcomes.filter(({ outcome }) => outcome.kind === 'held');
          const taken = held.reduce((sum, { quantity }) => sum + quantity, 0);
          expect(await countersOf(id)).toMatchObject({ claimed: taken, pending: held.length });
          expect(taken).toBeLessThanOrEqual(limit);
          // Whoever was refused wanted more than was left.
          for (const { quantity, outcome } of outcomes) {
            if (outcome.kind !== 'held') expect([outcome.kind, taken + quantity > limit]).toEqual(['full', true]);
          }
        },
      ),
      { numRuns: 8 },
    );
  }, 60_000);

  test('counts what the ledger says after claims are confirmed, cancelled, released and let go at once, in every order', async () => {
    const processes = [processOn(), processOn(), processOn()];
    const id = newId('off');
    const ended = await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const pools = processes[n % 3] as Pools;
        const other = processes[(n + 1) % 3] as Pools;
        const outcome = await hold(pools, claimOn(id), tickets(id, 60));
        if (outcome.kind !== 'held') return;
        const { claim } = outcome;
        const ways = [
          [() => pools.confirm(claim), () => other.confirm(claim)],
          [() => pools.confirm(claim), () => other.release(claim)],
          [() => pools.cancel(claim), () => other.letGo(claim, 'a')],
          [() => pools.lapse(claim), () => other.confirm(claim)],
          [() => pools.release(claim), () => other.release(claim), () => pools.confirm(claim)],
        ];
        await Promise.all((ways[n % 5] ?? []).map((way) => way()));
      }),
    );
    expect(ended).toHaveLength(120);
    const confirmed = await sold(id);
    expect(await countersOf(id)).toEqual({ confirmed, claimed: confirmed, pending: 0, releasing: 0 });
    expect(await differences()).toEqual([]);
  });

  test('refuses whoever knows an older definition, and takes over one that it has not heard of', async () => {
    const pools = processOn();
    const id = newId('off');
    const ask = async (limit: number, version: number) =>
      (await hold(pools, claimOn(id), tickets(id, limit, version))).kind;
    expect([await ask(1, 1), await ask(1, 1)]).toEqual(['held', 'full']);
    expect(await ask(5, 2)).toBe('held');
    expect(await ask(1, 1)).toBe('outdated');
    await pools.follow(tickets(id, 5, 4));
    expect(await ask(5, 2)).toBe('outdated');
    expect((await pools.find(id))?.definitionVersion).toBe(4);
  });
});

/** `collections` as a process finds them that dies with its write number `writes`: made and never answered, or never made. */
function dyingAt(writes: number, isMade: boolean): PoolCollections {
  let left = writes;
  const isWrite = /^(bulkWrite|findOneAndUpdate|updateOne|insertOne|insertMany)$/;
  const dying = <T extends object>(collection: T): T =>
    new Proxy(collection, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const run = () => Reflect.apply(member, target, args) as unknown;
          if (left <= 0) throw new mongoose.mongo.MongoNetworkError('dead');
          if (!isWrite.test(String(name))) return run();
          left -= 1;
          if (left > 0) return run();
          const done = isMade ? Promise.resolve(run()) : Promise.resolve();
          return done.then(() => Promise.reject(new mongoose.mongo.MongoNetworkError('dead')));
        };
      },
    });
  const { pools, shares, ledger, poolField } = collections;
  return { pools: dying(pools), shares: dying(shares), ledger: dying(ledger), poolField };
}

/**
 * Places an order with one claim, like commerce and the pool's owner together, then releases it if it is `returned`.
 */
async function live(pools: Pools, poolId: string, written: Set<string>, isReturned: boolean): Promise<void> {
  const claim = claimOn(poolId, { customerId: 'c-1', perCustomer: true, quantity: 2 });
  const outcome = await pools.hold({ claim, pool: tickets(poolId, 5), share: { limit: 4, since: 1 } });
  if (outcome.kind !== 'held') return;
  written.add(claim.orderId);
  await pools.confirm(claim);
  if (isReturned) await pools.release(claim);
}

describe('a process that dies with any of its writes, made or not', () => {
  test.each([true, false])(
    'leaves nothing held and no counter wrong once another has swept (made: %s)',
    async (isMade) => {
      for (const isReturned of [false, true]) {
        for (let writes = 1; writes <= 14; writes++) {
          const id = newId('off');
          const survivor = processOn();
          const written = new Set<string>();
          // One that exists before, so that the shares have something to count.
          await live(survivor, id, written, false);
          await live(processOn(dyingAt(writes, isMade)), id, written, isReturned).catch(() => undefined);
          const sweep = survivor.sweep({
            ttlMs: 0,
            logger,
            end: async (claim) => {
              if (written.has(claim.orderId)) await survivor.confirm(claim);
              else await survivor.lapse(claim);
            },
          });
          for (let round = 0; round < 2; round++) await sweep();
          const confirmed = await sold(id);
          const where = `made ${isMade}, returned ${isReturned}, write ${writes}`;
          expect([where, await countersOf(id)]).toEqual([
            where,
            { confirmed, claimed: confirmed, pending: 0, releasing: 0 },
          ]);
          expect([where, await differences()]).toEqual([where, []]);
          // Its customer may take exactly what is left, and the pool has exactly that left.
          const own = (quantity: number) =>
            survivor.hold({
              claim: claimOn(id, { customerId: 'c-1', perCustomer: true, quantity }),
              pool: tickets(id, 5),
              share: { limit: 4, since: 1 },
            });
          const left = 4 - confirmed;
          expect([where, (await own(left + 1)).kind]).toEqual([where, 'share-full']);
          if (left > 0) expect([where, (await own(left)).kind]).toEqual([where, 'held']);
        }
      }
    },
    120_000,
  );
});
