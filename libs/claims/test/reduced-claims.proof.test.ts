import type { OrderState, SettleOrderReply } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { proofSize } from '@event-commerce/test-kit';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { type Claim, createOrderClaims, type PoolCollections, type Pools } from '../src/index.ts';
import { claimOn, hold, logger, tickets, useTicketPools } from './ticket-pools.ts';

// Orders that return parts of their claims, while events arrive late, twice and in any order, and processes die.

const { collections, countersOf, differences, ledgerOf, processOn } = useTicketPools();
const RUNS = proofSize(6, 300);

/** What happens to an order after it was written: the quantities fall, and the state goes forward. */
const life = fc.record({
  isWritten: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  quantity: fc.integer({ min: 1, max: 4 }),
  customer: fc.constantFrom('c-1', 'c-2'),
  first: fc.constantFrom<OrderState>('pending', 'placed'),
  changes: fc.array(
    fc.oneof(
      fc.record({ keeps: fc.nat({ max: 3 }) }),
      fc.record({ state: fc.constantFrom<OrderState>('placed', 'cancelled', 'expired') }),
    ),
    { maxLength: 4 },
  ),
});

interface Order {
  id: string;
  state: OrderState;
  claim: Claim;
}

const FORWARD: Record<OrderState, readonly OrderState[]> = {
  pending: ['placed', 'cancelled', 'expired'],
  placed: ['cancelled'],
  cancelled: [],
  expired: [],
};

const isStanding = ({ state }: Order) => state === 'pending' || state === 'placed';
const keptBy = ({ claim: { keeps, quantity } }: Order) => keeps ?? quantity;

/** `collections` whose operations `schedule` orders, for a process that dies at write number `diesAt`. */
function scheduled(schedule: fc.Scheduler, { diesAt = Infinity, isMade = false } = {}): PoolCollections {
  let writes = 0;
  const dead = () => new mongoose.mongo.MongoNetworkError('dead');
  const through = <T extends object>(collection: T): T =>
    new Proxy(collection, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        const run = (args: unknown[]) => Reflect.apply(member, target, args) as unknown;
        const operation = String(name);
        if (!/^(bulkWrite|findOneAndUpdate|updateOne|insertOne|insertMany|findOne)$/.test(operation)) {
          return (...args: unknown[]) => {
            if (writes >= diesAt) throw dead();
            return run(args);
          };
        }
        const inTurn = schedule.scheduleFunction(async (...args: unknown[]) => {
          const work = async () => {
            if (writes >= diesAt) throw dead();
            if (operation !== 'findOne') writes += 1;
            if (writes < diesAt) return await (run(args) as Promise<unknown>);
            if (isMade) await (run(args) as Promise<unknown>);
            throw dead();
          };
          return await Promise.allSettled([work()]);
        });
        return async (...args: unknown[]) => {
          const [outcome] = await inTurn(...args);
          if (outcome.status === 'rejected') throw outcome.reason;
          return outcome.value;
        };
      },
    });
  const { pools, shares, ledger, poolField } = collections();
  return { pools: through(pools), shares: shares && through(shares), ledger: through(ledger), poolField };
}

/** Settles claims on `pools` by the orders that were written. */
function orderClaimsOn(pools: Pools, orders: ReadonlyMap<string, Order>) {
  return createOrderClaims<Claim>({
    pools,
    logger,
    toClaim: (claim) => claim,
    claimsOf: ({ ticketIds }) => ticketIds,
    waitingOrders: async () => new Set(),
    settleOrder: async ({ orderId }): Promise<SettleOrderReply> => {
      const order = orders.get(orderId);
      if (order === undefined) return { outcome: 'void' };
      const { id, keeps } = order.claim;
      return { outcome: order.state, ticketIds: [id], ...(keeps === undefined ? {} : { keeps: { [id]: keeps } }) };
    },
  });
}

test(
  'counters agree with the ledger and with what orders keep, and are never below that, whatever is interleaved',
  { timeout: 3_600_000 },
  async () => {
    const dying = fc.record({ diesAt: fc.integer({ min: 1, max: 25 }), isMade: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(life, { minLength: 1, maxLength: 4 }),
        dying,
        fc.scheduler(),
        async (lives, death, schedule) => {
          // What is compared is only of this run.
          const { pools: inPools, shares, ledger } = collections();
          await Promise.all([inPools, shares, ledger].map(async (one) => one?.deleteMany({})));
          const poolId = newId('off');
          const pool = tickets(poolId, 20);
          const survivor = processOn();
          const orders = new Map<string, Order>();
          const held: { of: (typeof lives)[number]; claim: Claim }[] = [];
          for (const of of lives) {
            const asked = claimOn(poolId, { customerId: of.customer, shares: ['em_1'], quantity: of.quantity });
            const outcome = await hold(survivor, asked, pool);
            if (outcome.kind !== 'held') throw new Error('there is room for all');
            held.push({ of, claim: outcome.claim });
          }

          const handlers = [scheduled(schedule), scheduled(schedule, death)].map((of) =>
            orderClaimsOn(processOn(of), orders),
          );
          const told: Promise<unknown>[] = [];
          const tell = (order: Order, times: number) => {
            for (let n = 0; n < times; n++) {
              const by = handlers[(told.length + n) % 2];
              // A change of an order whose first event is late enters its claims too.
              const type = n % 2 === 0 ? (`order.${order.state}` as const) : ('order.amended' as const);
              const event = { type, tenant: order.claim.companyId, data: { id: order.id, state: order.state } };
              told.push(Promise.allSettled([by?.follow(event, [order.claim])]));
            }
          };
          const write = schedule.scheduleFunction(async (order: Order) => {
            orders.set(order.id, order);
            tell(order, 1 + (order.claim.quantity % 2));
          });
          const observed: number[] = [];
          const observe = schedule.scheduleFunction(async () => {
            observed.push((await countersOf(poolId)).claimed);
          });

          const living = held.map(async ({ of, claim }) => {
            if (!of.isWritten) return;
            let order: Order = { id: claim.orderId, state: of.first, claim };
            await write(order);
            for (const change of of.changes) {
              if ('state' in change) {
                if (!FORWARD[order.state].includes(change.state)) continue;
                order = { ...order, state: change.state };
              } else if (isStanding(order) && change.keeps < keptBy(order)) {
                order = { ...order, claim: { ...order.claim, keeps: change.keeps } };
              } else continue;
              await write(order);
            }
          });
          const watching = [1, 2, 3, 4, 5, 6].map(async () => observe());
          await schedule.waitFor(Promise.all([...living, ...watching]));
          await schedule.waitFor(Promise.all(told));

          // Whatever the dead process left, notes, ledger and pending claims explain the counters.
          expect(await differences()).toEqual([]);
          const claims = orderClaimsOn(survivor, orders);
          const sweep = claims.sweep({ ttlMs: 0 });
          const { signal } = new AbortController();
          for (let round = 0; round < 2; round++) await sweep.run(signal);
          // Events that were not handled are delivered again, in any order.
          for (const { claim, id, state } of orders.values()) {
            await claims.follow({ type: `order.${state}`, tenant: claim.companyId, data: { id, state } }, [claim]);
          }

          const sum = (of: Order[]) => of.reduce((total, order) => total + keptBy(order), 0);
          const standing = [...orders.values()].filter(isStanding);
          const expected = {
            claimed: sum(standing),
            confirmed: sum(standing.filter(({ state }) => state === 'placed')),
            pending: 0,
            transitions: 0,
          };
          expect([await countersOf(poolId), await ledgerOf(poolId)]).toEqual([expected, expected]);
          for (const key of ['c-1', 'c-2', 'em_1']) {
            const own = sum(standing.filter(({ claim }) => key === 'em_1' || claim.customerId === key));
            expect((await survivor.claimedBy(key, [poolId])).get(poolId) ?? 0).toBe(own);
          }
          expect(await differences()).toEqual([]);
          for (const claimed of observed) expect(claimed).toBeGreaterThanOrEqual(expected.claimed);
        },
      ),
      { numRuns: RUNS },
    );
  },
);
