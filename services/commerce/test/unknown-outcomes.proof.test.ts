import { orderRequest, type TicketClaim } from '@event-commerce/contracts';
import { type Caller, isOutage, newId } from '@event-commerce/service-kit';
import { liveTenant, newCompanyId, newDatabase, orderBody } from '@event-commerce/test-kit';
import mongoose from 'mongoose';
import { beforeEach, expect, inject, test } from 'vitest';
import { commerceModels } from '../src/models.ts';
import { orderNumbers } from '../src/orders/order-number.repository.ts';
import { orderRepository } from '../src/orders/order.repository.ts';
import { cancelOrder } from '../src/orders/move-order.ts';
import { placeOrder } from '../src/orders/place-order.ts';
import { reopenOrder } from '../src/orders/reopen-order.ts';

// A member that has just become primary may reject a document as a duplicate of one that it does not show yet. Here an
// index rejects documents instead.

let models: ReturnType<typeof commerceModels>;
let orders: ReturnType<typeof orderRepository>;
let numbers: ReturnType<typeof orderNumbers>;
beforeEach(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  models = commerceModels(connection);
  orders = orderRepository(models, { publish: () => {}, stop: async () => {} });
  numbers = orderNumbers(models);
  return drop;
});

const companyId = newCompanyId();
const caller = { companyId, tenant: liveTenant(companyId) } as Caller;
const unasked = () => Promise.reject(new Error());
const nothing = async () => {};
const others = {
  purchases: { purchase: unasked, amend: unasked, previewAmendment: unasked, follow: nothing, cancel: nothing },
  tickets: { claim: unasked, follow: nothing, cancel: nothing },
  carts: { checkout: unasked, release: nothing, followAmended: nothing, end: nothing },
  offerings: {
    find: async () => new Map(),
    current: unasked,
    idsOfEvent: unasked,
    ofCancelledEvents: unasked,
    learn: () => [],
  },
  clock: () => new Date(),
};
const buyer = { caller, placedBy: 'key_1', mayStatePrices: true };
const sentAs = (body: object) => ({ input: orderRequest.parse(structuredClone(body)), body });
const place = async () => {
  return await placeOrder({ orders, numbers, ...others }, buyer, sentAs(orderBody(companyId, { items: [] })));
};

test('an order is not declared void just because the database does not show it', async () => {
  await models.orders.collection.createIndex({ companyId: 1 }, { unique: true });
  expect(await orders.settle(newId('ord'), undefined)).toEqual({ outcome: 'void' });
  const error: unknown = await orders.settle(newId('ord'), undefined).catch((thrown: unknown) => thrown);
  expect(isOutage(error)).toBe(true);
});

test('the database keeps the record of a void order for seven days', async () => {
  await models.orders.createIndexes();
  const id = newId('ord');
  for (let repeat = 0; repeat < 2; repeat++) expect(await orders.settle(id, undefined)).toEqual({ outcome: 'void' });
  expect(await models.orders.collection.find().toArray()).toEqual([{ _id: id, voidedAt: expect.any(Date) }]);
  const timed = (await models.orders.collection.indexes()).filter((index) => 'expireAfterSeconds' in index);
  expect(timed).toMatchObject([
    {
      key: { voidedAt: 1 },
      expireAfterSeconds: 7 * 24 * 60 * 60,
      partialFilterExpression: { voidedAt: { $exists: true } },
    },
  ]);
});

test('answers that other services act on for good include every acknowledged change of the order', async () => {
  const { id } = (await place()).order;
  const monitored = mongoose.createConnection(inject('mongoUrl'), {
    dbName: models.orders.db.name,
    monitorCommands: true,
  });
  try {
    const levels: unknown[] = [];
    await monitored.asPromise();
    monitored.getClient().on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'find') levels.push(command['readConcern']?.level);
    });
    const asked = orderRepository(commerceModels(monitored), { publish: () => {}, stop: async () => {} });
    expect(await asked.settle(id, undefined)).toMatchObject({ outcome: 'placed' });
    expect(await asked.written([id])).toMatchObject([{ id, state: 'placed' }]);
    expect(levels).toEqual(['linearizable', 'linearizable']);
  } finally {
    await monitored.close();
  }
});

test('an order that the database rejects without showing why may be sent again', async () => {
  await models.orders.collection.createIndex({ currency: 1 }, { unique: true });
  expect((await place()).repeated).toBe(false);
  expect(isOutage(await place().catch((thrown: unknown) => thrown))).toBe(true);
});

test('a reopening that may have been written keeps what it claimed', async () => {
  const held = new Set<string>();
  const deps = {
    ...others,
    numbers,
    tickets: {
      claim: async () => {
        const claimId = newId('tkt');
        held.add(claimId);
        return { claims: [{ claimId, poolId: 'off_1', of: { offeringId: 'off_1' }, quantity: 1 }] };
      },
      follow: nothing,
      cancel: async (_caller: Caller, _orderId: string, claims: readonly TicketClaim[]) => {
        for (const { claimId } of claims) held.delete(claimId);
      },
    },
  };
  const sent = sentAs(orderBody(companyId, { items: [{ offeringId: 'off_1' }] }));
  const { order } = await placeOrder({ ...deps, orders }, buyer, sent);
  await cancelOrder({ ...deps, orders }, { caller }, order.id, undefined);
  const cancelled = await orders.find(caller.tenant, order.id);
  const replicating = {
    ...orders,
    find: async () => cancelled,
    reopen: async (...args: Parameters<typeof orders.reopen>) => {
      await orders.reopen(...args);
      throw new mongoose.mongo.MongoServerError({ message: 'waiting for replication timed out', code: 64 });
    },
  };
  const error: unknown = await reopenOrder({ ...deps, orders: replicating }, caller, order.id, {}, undefined).catch(
    (thrown: unknown) => thrown,
  );
  expect(isOutage(error)).toBe(true);
  const { state, tickets } = (await orders.find(caller.tenant, order.id)) ?? {};
  expect([state, tickets?.map(({ claimId }) => claimId)]).toEqual(['placed', [...held]]);
});
