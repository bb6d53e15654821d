import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Claim, PoolDefinition } from '@event-commerce/claims';
import type { OrderOutcome, OrderState, RedemptionClaim, Tenant } from '@event-commerce/contracts';
import type { Relay } from '@event-commerce/outbox';
import { collectionOf, createLogger, newId } from '@event-commerce/service-kit';
import { liveTenant, newDatabase } from '@event-commerce/test-kit';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { type PricingModels, pricingModels, type UsageDocument } from '../src/models.ts';
import { redemptionPools } from '../src/redemptions/redemption-pools.ts';
import { createOrderRedemptions } from '../src/redemptions/order-redemptions.ts';

// Claims that several replicas confirm and release at once, while events are redelivered and processes are killed.

let models: PricingModels;
type Replica = ReturnType<typeof replica>;
let replicas: Replica[];
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  models = pricingModels(connection);
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
  replicas = [replica(), replica()];
  return drop;
});

function replica(over: PricingModels = models) {
  const relay: Relay<UsageDocument> = { publish: () => {}, stop: async () => {} };
  const pools = redemptionPools(over, relay, () => new Date());
  const logger = createLogger({ service: 'test', level: 'silent' });
  const commerce = {
    settleOrder: async () => ({ outcome: 'void' }) as const,
    waitingOrders: async () => new Set<string>(),
  };
  return { pools, orders: createOrderRedemptions({ pools, logger, ...commerce }) };
}

const tenant: Tenant = liveTenant('company-1');
const [first, second] = [0, 1].map((n) => () => replicas[n] as Replica) as [() => Replica, () => Replica];

const poolOf = (id: string): PoolDefinition => ({
  id,
  companyId: tenant,
  version: 1,
  limit: 5,
  about: { origin: 'rule' },
});

type Order = { tenant: Tenant; id: string; claims: RedemptionClaim[] };
const tell = async ({ orders }: Replica, { id, claims }: Order, state: OrderState) =>
  orders.follow({ type: `order.${state}`, tenant, data: { id, state } }, claims);
const confirm = async (on: Replica, order: Order) => tell(on, order, 'placed');
const cancel = async (on: Replica, order: Order) => tell(on, order, 'cancelled');

/** An order whose one claim is pending. */
async function claimedOrder() {
  const adjustmentId = newId('adj');
  const held: Claim = {
    id: newId('rdm'),
    poolId: adjustmentId,
    companyId: tenant,
    orderId: newId('ord'),
    quantity: 1,
    status: 'pending',
    settledBy: 'commerce',
  };
  expect(await first().pools.hold({ claim: held, pool: poolOf(adjustmentId) })).toEqual({
    kind: 'held',
    claim: held,
  });
  const { id: redemptionId, orderId: id } = held;
  const claim = { redemptionId, adjustmentId, quantity: 1 };
  return { order: { tenant, id, claims: [claim] }, held, adjustmentId };
}

async function countersOf(adjustmentId: string) {
  const { confirmed, claimed, pending, transitions = [] } = (await models.usages.findById(adjustmentId).lean()) ?? {};
  return { confirmed, claimed, pending: pending?.length, transitions: transitions.length };
}
async function typesToldOf(adjustmentId: string) {
  const { outbox = [] } = (await models.usages.findById(adjustmentId).lean()) ?? {};
  return outbox.map(({ type }) => type);
}
const NOTHING_LEFT = { confirmed: 0, claimed: 0, pending: 0, transitions: 0 };

test('a redemption leaves the counters once if its confirmation is redelivered while it is released', async () => {
  const { order, held, adjustmentId } = await claimedOrder();
  // As two killed processes leave it: one after the ledger had the confirmation but before the counters had it; one
  // likewise with the release.
  const by = randomUUID();
  const [from, to] = ['confirmed', 'released'].map((status) => ({ status, quantity: 1 }));
  await models.usages.updateOne({ _id: adjustmentId }, { $push: { transitions: { id: held.id, by, from, to } } });
  const { id: _id, poolId: _poolId, ...fields } = held;
  const steps = [{ by, claimed: -1, confirmed: -1 }];
  const entry = { ...fields, _id: held.id, adjustmentId, status: 'released' as const, steps };
  await collectionOf(models.redemptions).insertOne({ ...entry, created: new Date() });

  await confirm(second(), order);
  await second().orders.sweep({ ttlMs: 0 }).run(new AbortController().signal);
  expect(await countersOf(adjustmentId)).toEqual(NOTHING_LEFT);
});

test('orders that are repeatedly confirmed and cancelled at once leave nothing in the counters', async () => {
  const rounds = Array.from({ length: 60 }, async (_, round) => {
    const { order, adjustmentId } = await claimedOrder();
    const later = async (turns: number, run: () => Promise<void>) => {
      for (let n = 0; n < turns; n++) await turn();
      await run();
    };
    await Promise.all([
      later(0, () => confirm(first(), order)),
      later(round % 7, () => cancel(second(), order)),
      later(round % 11, () => confirm(second(), order)),
      later(round % 13, () => cancel(first(), order)),
    ]);
    return await countersOf(adjustmentId);
  });
  expect(await Promise.all(rounds)).toEqual(rounds.map(() => NOTHING_LEFT));
});

test.each<[states: OrderState[], counters: { confirmed: number; claimed: number }, told: string[]]>([
  [['pending'], { confirmed: 0, claimed: 1 }, []],
  [['pending', 'pending', 'placed', 'placed'], { confirmed: 1, claimed: 1 }, ['redemption.confirmed']],
  [['pending', 'expired', 'expired'], { confirmed: 0, claimed: 0 }, ['redemption.released']],
  [
    ['pending', 'placed', 'cancelled', 'placed'],
    { confirmed: 0, claimed: 0 },
    ['redemption.confirmed', 'redemption.released'],
  ],
  [['placed', 'pending'], { confirmed: 1, claimed: 1 }, ['redemption.confirmed']],
  // No event about the redemption was published.
  [['cancelled', 'placed', 'pending'], { confirmed: 0, claimed: 0 }, []],
  [['expired', 'pending', 'placed'], { confirmed: 0, claimed: 0 }, []],
  [['placed', 'cancelled', 'placed'], { confirmed: 0, claimed: 0 }, ['redemption.confirmed', 'redemption.released']],
])('an order that is %j counts as %j and tells %j', async (states, counters, told) => {
  const { order, adjustmentId } = await claimedOrder();
  for (const state of states) await tell(first(), order, state);
  expect(await countersOf(adjustmentId)).toEqual({ ...counters, pending: 0, transitions: 0 });
  expect(await typesToldOf(adjustmentId)).toEqual(told);
});

test.each<[OrderOutcome[]]>([[['void']], [['void', 'void']], [['void', 'placed']], [['void', 'pending', 'cancelled']]])(
  'the lapsed claim of an order that is %j frees its place and publishes that once',
  async (outcomes) => {
    const { held, adjustmentId } = await claimedOrder();
    for (const outcome of outcomes) expect(await first().pools.followOrder(held, outcome)).toBe('lapsed');
    expect(await countersOf(adjustmentId)).toEqual(NOTHING_LEFT);
    expect(await typesToldOf(adjustmentId)).toEqual(['redemption.lapsed']);
  },
);

test('an order keeps one place, even if it claims again while it waits', async () => {
  const { order, held, adjustmentId } = await claimedOrder();
  const again: Claim = { ...held, id: newId('rdm') };
  await tell(first(), order, 'pending');
  const holdAgain = async () => second().pools.hold({ claim: again, pool: poolOf(adjustmentId) });
  expect(await holdAgain()).toEqual({ kind: 'confirmed' });
  // As if so many others had been confirmed since that the pool no longer remembers this one.
  await models.usages.updateOne({ _id: adjustmentId }, { $set: { recent: [] } });
  expect(await holdAgain()).toMatchObject({ kind: 'held' });
  expect(await second().pools.confirm(again)).toBe('cancelled');
  expect(await countersOf(adjustmentId)).toEqual({ confirmed: 0, claimed: 1, pending: 0, transitions: 0 });
  await confirm(first(), order);
  expect(await countersOf(adjustmentId)).toEqual({ confirmed: 1, claimed: 1, pending: 0, transitions: 0 });
});

test('a claim stays unsettled while the ledger refuses its entry without showing why', async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  onTestFinished(drop);
  const over = pricingModels(connection);
  // Refuses a second entry, like a member that knows of the first but cannot show it yet.
  await over.redemptions.collection.createIndex({ companyId: 1 }, { unique: true });
  const { pools } = replica(over);
  const claim = (): Claim => ({
    id: newId('rdm'),
    poolId: 'adj_1',
    companyId: tenant,
    orderId: newId('ord'),
    quantity: 1,
    status: 'pending',
    settledBy: 'commerce',
  });
  expect(await pools.confirm(claim())).toBe('confirmed');
  await expect(pools.confirm(claim())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
