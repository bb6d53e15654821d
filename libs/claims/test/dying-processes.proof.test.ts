import { newId } from '@event-commerce/service-kit';
import { proofSize } from '@event-commerce/test-kit';
import type { OrderState } from '@event-commerce/contracts';
import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { type Claim, eraseFromPools, type PoolCollections, type Pools } from '../src/index.ts';
import { claimOn, logger, tickets, useTicketPools } from './ticket-pools.ts';

const { collections, countersOf, differences, ledgerOf, processOn } = useTicketPools();

/**
 * `collections` for a process that dies at its write number `writes`: made but never answered, or never made. `isAlive`
 * says whether it got that far.
 */
function dyingAt(writes: number, isMade: boolean): { found: PoolCollections; isAlive: () => boolean } {
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
  const { pools, shares, ledger, poolField } = collections();
  const found = { pools: dying(pools), shares: shares && dying(shares), ledger: dying(ledger), poolField };
  return { found, isAlive: () => left > 0 };
}

/** The states in an order's events, one after the other. */
type Life = readonly OrderState[];
/** The orders that were written, with their claims, by id. */
type Orders = Map<string, { claim: Claim; state: OrderState }>;

/** Writes an order with one claim, like commerce, and lets the pool's owner handle its events. */
async function live(pools: Pools, poolId: string, orders: Orders, life: Life, takes: Takes = ALL): Promise<void> {
  const { quantity, atLeast, keeps } = takes;
  const asked = claimOn(poolId, { customerId: 'c-1', quantity });
  const outcome = await pools.hold({
    claim: asked,
    pool: tickets(poolId, 9),
    customerLimit: takes === ALL ? 8 : 9,
    atLeast,
  });
  if (outcome.kind !== 'held') return;
  const claim = { ...outcome.claim, ...(keeps === undefined ? {} : { keeps }) };
  for (const state of life) {
    orders.set(claim.orderId, { claim, state });
    await pools.followOrder(claim, state);
  }
}

/** What an order claims, the least that it takes, and what it keeps once its price is known. */
interface Takes {
  quantity: number;
  atLeast?: number;
  keeps?: number;
}
const ALL: Takes = { quantity: 2 };
const LESS: Takes = { quantity: 4, atLeast: 1, keeps: 1 };

// Each shorter life is the beginning of one of these.
const LIVES: Life[] = [
  ['placed', 'cancelled'],
  ['pending', 'expired'],
  ['pending', 'placed', 'cancelled'],
];
// Dying before a write leaves the same as dying after the previous write, unless requests overlap.
const MADE = [true, false].slice(0, proofSize(1, 2));

describe('a process that dies at any of its writes, made or not', () => {
  test.for(LIVES.flatMap((life) => MADE.flatMap((isMade) => [ALL, LESS].map((takes) => ({ life, isMade, takes })))))(
    'leaves nothing held and no counter wrong once another has swept and handled the events again (%o)',
    { timeout: 120_000 },
    async ({ life, isMade, takes }) => {
      let isDead = true;
      // Until the process makes no further write.
      for (let writes = 1; isDead; writes++) {
        const { found, isAlive } = dyingAt(writes, isMade);
        const id = newId('off');
        const survivor = processOn();
        const orders: Orders = new Map();
        // An earlier claim, so that the shares have something to count.
        await live(survivor, id, orders, ['placed']);
        const dying = processOn(found);
        await Promise.allSettled([1, 2, 3].map(async () => live(dying, id, orders, life, takes)));
        isDead = !isAlive();
        const sweep = survivor.sweep({
          ttlMs: 0,
          logger,
          end: async (claim) => {
            const { claim: { keeps = Infinity } = {}, state = 'void' } = orders.get(claim.orderId) ?? {};
            await survivor.followOrder({ ...claim, keeps }, state);
          },
        });
        const { signal } = new AbortController();
        for (let round = 0; round < 2; round++) await sweep.run(signal);
        // Unacknowledged events are redelivered.
        for (const { claim, state } of orders.values()) await survivor.followOrder(claim, state);
        const where = `write ${writes}`;
        const sum = (...of: OrderState[]) =>
          [...orders.values()]
            .filter(({ state }) => of.includes(state))
            .reduce((total, { claim: { quantity, keeps = quantity } }) => total + keeps, 0);
        const expected = { confirmed: sum('placed'), claimed: sum('pending', 'placed'), pending: 0, transitions: 0 };
        expect([where, await countersOf(id), await ledgerOf(id)]).toEqual([where, expected, expected]);
        expect([where, await differences()]).toEqual([where, []]);
        // The customer and the pool have exactly the expected rest left.
        const own = (quantity: number) =>
          survivor.hold({
            claim: claimOn(id, { customerId: 'c-1', quantity }),
            pool: tickets(id, 9),
            customerLimit: 8,
          });
        const left = 8 - expected.claimed;
        const { kind, claim: refused } = await own(left + 1);
        expect([where, kind]).toEqual([where, 'share-full']);
        if (refused !== undefined) await survivor.cancel(refused);
        if (left > 0) expect([where, (await own(left)).kind]).toEqual([where, 'held']);
      }
    },
  );
});

describe('a customer who is erased while a process dies at any of its writes, made or not', () => {
  const erase = async ({ shares, ...others }: PoolCollections, id: string) => {
    if (shares === undefined) throw new Error('no shares');
    const who = { tenant: claimOn(id).companyId, ids: ['c-1'], pseudonym: 'erased_1' };
    return await eraseFromPools({ ...others, shares }, [id], who, 0);
  };
  const shareOf = async (id: string, customer: string) =>
    (await collections().shares?.findOne({ _id: `${id}\n${customer}` }))?.claimed;

  test.for((['erases', 'releases'] as const).flatMap((dying) => [true, false].map((isMade) => ({ dying, isMade }))))(
    'is counted exactly, under the pseudonym only (%o)',
    { timeout: 120_000 },
    async ({ dying, isMade }) => {
      let isDead = true;
      for (let writes = 1; isDead; writes++) {
        const { found, isAlive } = dyingAt(writes, isMade);
        const id = newId('off');
        const survivor = processOn();
        const orders: Orders = new Map();
        for (let n = 0; n < 3; n++) await live(survivor, id, orders, ['placed']);
        const [released] = [...orders.values()];
        if (released === undefined) throw new Error('nothing was claimed');
        const release = async (by: Pools) => void (await by.followOrder(released.claim, 'cancelled'));
        await (dying === 'erases' ? erase(found, id) : release(processOn(found))).catch(() => undefined);
        isDead = !isAlive();
        // Its event is redelivered while the erasure is repeated.
        const sweep = survivor.sweep({ ttlMs: 0, logger, end: async () => undefined });
        const erased = async () => {
          while ((await erase(collections(), id)) !== 'done') await sweep.run(new AbortController().signal);
        };
        await Promise.all([erased(), release(survivor)]);
        await erased();
        const where = `write ${writes}`;
        expect([where, await shareOf(id, 'c-1'), await shareOf(id, 'erased_1')]).toEqual([where, undefined, 4]);
        expect([where, await differences()]).toEqual([where, []]);
        expect([where, await collections().ledger.countDocuments({ customerId: 'c-1' })]).toEqual([where, 0]);
      }
    },
  );
});
