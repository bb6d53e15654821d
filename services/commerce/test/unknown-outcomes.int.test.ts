import { randomUUID } from 'node:crypto';
import { orderRequest } from '@event-commerce/contracts';
import { type Caller, connectMongo, isOutage, newId } from '@event-commerce/service-kit';
import { liveTenant, newCompanyId, orderBody } from '@event-commerce/test-kit';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { commerceModels } from '../src/store/models.ts';
import { orderRepository } from '../src/store/order.repository.ts';
import { placeOrder } from '../src/use-cases/place-order.ts';

// A member that has just become primary may reject a document because of one that it does not show yet. Here an index
// rejects documents in place of that one.

let mongo: Awaited<ReturnType<typeof connectMongo>>;
let models: ReturnType<typeof commerceModels>;
let orders: ReturnType<typeof orderRepository>;
beforeEach(async () => {
  mongo = await connectMongo(inject('mongoUrl'), { dbName: `t${randomUUID().slice(0, 8)}`, appName: 'test' });
  models = commerceModels(mongo);
  orders = orderRepository(models, { publish: () => {}, stop: async () => {} });
});
afterEach(async () => {
  await mongo?.dropDatabase();
  await mongo?.close();
});

test('an order is not void only because the database does not show it', async () => {
  await models.orders.collection.createIndex({ voidedAt: 1 }, { unique: true });
  const now = new Date();
  expect(await orders.settle(newId('ord'), undefined, now)).toEqual({ outcome: 'void' });
  const error: unknown = await orders.settle(newId('ord'), undefined, now).catch((thrown: unknown) => thrown);
  expect(isOutage(error)).toBe(true);
});

test('an order that the database rejects without showing why may be sent again', async () => {
  await models.orders.collection.createIndex({ currency: 1 }, { unique: true });
  const companyId = newCompanyId();
  const caller = { companyId, tenant: liveTenant(companyId) } as Caller;
  const unasked = () => Promise.reject(new Error());
  const nothing = async () => {};
  const others = {
    purchases: { purchase: unasked, cancel: nothing },
    tickets: { claim: unasked, cancel: nothing },
    carts: { checkout: unasked, release: nothing },
    offerings: { find: unasked, learn: () => [] },
  };
  const place = async () => {
    const input = orderRequest.parse(orderBody(companyId, { items: [] }));
    const buyer = { caller, mayStatePrices: true };
    return await placeOrder({ orders, ...others, clock: () => new Date() }, buyer, input);
  };
  expect((await place()).repeated).toBe(false);
  expect(isOutage(await place().catch((thrown: unknown) => thrown))).toBe(true);
});
