import { randomUUID } from 'node:crypto';
import { type OutboxEntry, outboxEntry } from '@event-commerce/outbox';
import { connectMongo, createLogger, newId, retryOnConflict } from '@event-commerce/service-kit';
import type { OrderState } from '@event-commerce/contracts';
import { liveTenant } from '@event-commerce/test-kit';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  type Claim,
  compareCounters,
  createPools,
  type LedgerEntry,
  type LedgerStatus,
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

function soldEntry(claim: Claim, status: LedgerStatus, now: Date): OutboxEntry | undefined {
  if (status === 'held') return undefined;
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
    moving = [],
  } = (await collections.pools.findOne({ _id: id })) ?? {};
  return { confirmed, claimed, pending: pending.length, moving: moving.length };
}

/** What the ledger says of a pool in which nothing is pending. */
async function ledgerOf(id: string) {
  const entries = await collections.ledger.find({ ticketsOf: id }).toArray();
  const sum = (...of: LedgerStatus[]) =>
    entries.filter(({ status }) => of.includes(status)).reduce((total, { quantity }) => total + quantity, 0);
  return { confirmed: sum('confirmed'), claimed: sum('held', 'confirmed'), pending: 0, moving: 0 };
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

  test('counts what the ledger says after claims are held, confirmed, cancelled, released and let go at once, in every order', async () => {
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
          [() => pools.confirm(claim), () => other.followOrder(claim, 'cancelled')],
          [() => pools.cancel(claim), () => other.letGo(claim, 'a')],
          [() => pools.followOrder(claim, 'void'), () => other.confirm(claim)],
          [
            () => pools.followOrder(claim, 'expired'),
            () => other.followOrder(claim, 'cancelled'),
            () => pools.confirm(claim),
          ],
          [() => pools.followOrder(claim, 'pending'), () => other.confirm(claim)],
          [
            () => pools.followOrder(claim, 'pending'),
            () => other.confirm(claim),
            () => pools.followOrder(claim, 'expired'),
          ],
          [
            () => pools.followOrder(claim, 'pending'),
            () => other.followOrder(claim, 'cancelled'),
            () => other.followOrder(claim, 'pending'),
          ],
          [() => pools.followOrder(claim, 'pending'), () => other.followOrder(claim, 'void')],
        ];
        await Promise.all((ways[n % ways.length] ?? []).map((way) => way()));
      }),
    );
    expect(ended).toHaveLength(120);
    expect(await countersOf(id)).toEqual(await ledgerOf(id));
    expect(await differences()).toEqual([]);
  });

  test('keeps a claim for those who still rely on it, and ends it with the last of them, however many let go at once', async () => {
    const reliances = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(reliances, async (givenUp) => {
        const id = newId('off');
        const [pools, other] = [processOn(), processOn()];
        const claims = await Promise.all(
          givenUp.map(async (requests) => {
            const first = claimOn(id);
            for (const [n] of requests.entries()) {
              await hold(pools, { ...first, id: newId('rdm'), attempts: [`${n}`] }, tickets(id, undefined));
            }
            return first.key;
          }),
        );
        const pendingOf = async () => (await collections.pools.findOne({ _id: id }))?.pending ?? [];
        const held = new Map((await pendingOf()).map((pending) => [pending.key, { ...pending, poolId: id }]));
        await Promise.all(
          givenUp.flatMap((requests, c) =>
            requests.map(async (isGivenUp, n) => {
              const claim = { ...claimOn(id), ...held.get(claims[c]) };
              if (isGivenUp) await (n % 2 === 0 ? pools : other).letGo(claim, `${n}`);
            }),
          ),
        );
        const left = givenUp.flatMap((requests, c) => {
          const attempts = requests.flatMap((isGivenUp, n) => (isGivenUp ? [] : [`${n}`]));
          return attempts.length === 0 ? [] : [{ key: claims[c], attempts }];
        });
        const standing = (await pendingOf()).map(({ key, attempts }) => ({ key, attempts: attempts?.toSorted() }));
        expect(new Set(standing)).toEqual(new Set(left));
        expect(await countersOf(id)).toMatchObject({ claimed: left.length, pending: left.length });
      }),
      { numRuns: 15 },
    );
  }, 60_000);

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
  return { pools: dying(pools), shares: shares && dying(shares), ledger: dying(ledger), poolField };
}

/** What an order tells of itself, one after the other, as its events do. */
type Life = readonly OrderState[];
/** The orders that were written, with their claims, by id. */
type Orders = Map<string, { claim: Claim; state: OrderState }>;

/**
 * Writes an order with one claim, like commerce, and lets the pool's owner follow what becomes of it.
 */
async function live(pools: Pools, poolId: string, orders: Orders, life: Life): Promise<void> {
  const claim = claimOn(poolId, { customerId: 'c-1', perCustomer: true, quantity: 2 });
  const outcome = await pools.hold({ claim, pool: tickets(poolId, 5), share: { limit: 4, since: 1 } });
  if (outcome.kind !== 'held') return;
  for (const state of life) {
    orders.set(claim.orderId, { claim, state });
    await pools.followOrder(claim, state);
  }
}

const LIVES: Life[] = [
  ['placed'],
  ['placed', 'cancelled'],
  ['pending'],
  ['pending', 'placed'],
  ['pending', 'expired'],
  ['pending', 'placed', 'cancelled'],
];

describe('a process that dies with any of its writes, made or not', () => {
  test.for(LIVES.flatMap((life) => [true, false].map((isMade) => ({ life, isMade }))))(
    'leaves nothing held and no counter wrong once another has swept and heard the events again (%o)',
    { timeout: 120_000 },
    async ({ life, isMade }) => {
      for (let writes = 1; writes <= 5 + 6 * life.length; writes++) {
        const id = newId('off');
        const survivor = processOn();
        const orders: Orders = new Map();
        // One that exists before, so that the shares have something to count.
        await live(survivor, id, orders, ['placed']);
        await live(processOn(dyingAt(writes, isMade)), id, orders, life).catch(() => undefined);
        const sweep = survivor.sweep({
          ttlMs: 0,
          logger,
          end: async (claim) => {
            await survivor.followOrder(claim, orders.get(claim.orderId)?.state ?? 'void');
          },
        });
        for (let round = 0; round < 2; round++) await sweep();
        // What was not acknowledged comes again.
        for (const { claim, state } of orders.values()) await survivor.followOrder(claim, state);
        const where = `write ${writes}`;
        const sum = (...of: OrderState[]) => 2 * [...orders.values()].filter(({ state }) => of.includes(state)).length;
        const expected = { confirmed: sum('placed'), claimed: sum('pending', 'placed'), pending: 0, moving: 0 };
        expect([where, await countersOf(id), await ledgerOf(id)]).toEqual([where, expected, expected]);
        expect([where, await differences()]).toEqual([where, []]);
        // Its customer may take exactly what is left, and the pool has exactly that left.
        const own = (quantity: number) =>
          survivor.hold({
            claim: claimOn(id, { customerId: 'c-1', perCustomer: true, quantity }),
            pool: tickets(id, 5),
            share: { limit: 4, since: 1 },
          });
        const left = 4 - expected.claimed;
        expect([where, (await own(left + 1)).kind]).toEqual([where, 'share-full']);
        if (left > 0) expect([where, (await own(left)).kind]).toEqual([where, 'held']);
      }
    },
  );
});

test('orders that wait for days take no room from those that are being placed', async () => {
  const pools = processOn();
  const id = newId('off');
  const waiting = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const outcome = await hold(pools, claimOn(id), tickets(id, 30));
      if (outcome.kind === 'held') await pools.followOrder(outcome.claim, 'pending');
      return outcome.kind;
    }),
  );
  expect(new Set(waiting)).toEqual(new Set(['held']));
  expect(await countersOf(id)).toEqual({ confirmed: 0, claimed: 30, pending: 0, moving: 0 });
  expect((await hold(pools, claimOn(id), tickets(id, 30))).kind).toBe('full');
});

test('a move that is noted twice, or after another one, is counted once', async () => {
  const pools = processOn();
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const id = newId('off');
      const outcome = await hold(pools, claimOn(id), tickets(id, 1));
      if (outcome.kind !== 'held') throw new Error('there is room for one');
      const { claim } = outcome;
      await pools.followOrder(claim, 'pending');
      const events: OrderState[] = [
        'placed',
        'placed',
        'pending',
        ...(n % 2 === 0 ? (['expired', 'expired'] as const) : []),
      ];
      await Promise.all(events.map(async (state) => processOn().followOrder(claim, state)));
      const placed = n % 2 === 0 ? 0 : 1;
      expect(await countersOf(id)).toEqual({ confirmed: placed, claimed: placed, pending: 0, moving: 0 });
    }),
  );
  expect(await differences()).toEqual([]);
});
