import { randomUUID } from 'node:crypto';
import type { Tenant } from '@event-commerce/contracts';
import { collectionOf, createLogger, newId } from '@event-commerce/service-kit';
import { liveTenant, newCompanyId, newDatabase } from '@event-commerce/test-kit';
import { beforeEach, expect, inject, test } from 'vitest';
import { commerceModels, type OrderDocument } from '../src/models.ts';
import { type OrderRepository, orderRepository } from '../src/orders/order.repository.ts';
import { orderExpirySweep } from '../src/orders/expire-orders.ts';

const NOW = new Date();
const logger = createLogger({ service: 'test', level: 'silent' });

let models: ReturnType<typeof commerceModels>;
let orders: OrderRepository;
beforeEach(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  models = commerceModels(connection);
  await models.orders.createIndexes();
  orders = orderRepository(models, { publish: () => {}, stop: async () => {} });
  return drop;
});

/** Creates pending orders, overdue by `secondsAgo` seconds. Returns their ids, oldest first. */
async function overdueOrders(companyId: Tenant, secondsAgo: number, count = 1): Promise<string[]> {
  const documents = Array.from({ length: count }, (_, n) => ({
    _id: newId('ord'),
    companyId,
    orderNumber: randomUUID(),
    status: 'pending',
    currency: 'EUR',
    items: [],
    costs: { fees: 0, tax: 0, total: 0 },
    version: 1,
    expiresAt: new Date(NOW.getTime() - secondsAgo * 1_000 + n),
    createdAt: NOW,
    changedAt: NOW,
    outbox: [],
  }));
  await collectionOf(models.orders).insertMany(documents as unknown as OrderDocument[]);
  return documents.map(({ _id }) => _id);
}

const inState = async (status: string) => await models.orders.collection.countDocuments({ status });
const newTenant = () => liveTenant(newCompanyId());

test("however many orders of one company expire at once, other companies' orders expire along with its first ones", async () => {
  const companies = [newTenant(), newTenant(), newTenant()].toSorted((a, b) => (a < b ? -1 : 1));
  const busy = companies[1] as Tenant;
  await overdueOrders(busy, 60, 300);
  const others = await Promise.all(
    companies.filter((tenant) => tenant !== busy).map(async (tenant) => overdueOrders(tenant, 1)),
  );
  const expired: string[] = [];
  const expire: OrderRepository['expire'] = async (by, order, now) => {
    expired.push(order.id);
    return await orders.expire(by, order, now);
  };
  await orderExpirySweep({ orders: { ...orders, expire }, clock: () => NOW, logger }).run(new AbortController().signal);
  expect(expired.slice(0, 50)).toEqual(expect.arrayContaining(others.flat()));
  expect([expired.length, await inState('expired')]).toEqual([302, 302]);
});

test('an order that fails to expire delays no other, and is retried in the next run', async () => {
  const tenant = newTenant();
  const stuck = await overdueOrders(tenant, 60, 20);
  await overdueOrders(tenant, 1, 20);
  let broken = true;
  const expire: OrderRepository['expire'] = async (by, order, now) => {
    if (broken && stuck.includes(order.id)) throw new Error('broken');
    return await orders.expire(by, order, now);
  };
  const sweep = orderExpirySweep({ orders: { ...orders, expire }, clock: () => NOW, logger });
  await sweep.run(new AbortController().signal);
  expect([await inState('expired'), await inState('pending')]).toEqual([20, 20]);
  broken = false;
  await sweep.run(new AbortController().signal);
  expect(await inState('expired')).toBe(40);
});

test('orders expire oldest first, none before its time, and their events say what changed', async () => {
  const tenant = newTenant();
  const [later] = await overdueOrders(tenant, 1);
  const [earlier] = await overdueOrders(tenant, 60);
  await overdueOrders(tenant, -1);
  const overdue = await orders.overdue(NOW, undefined, []);
  expect(overdue.map(({ id }) => id)).toEqual([earlier, later]);
  await orderExpirySweep({ orders, clock: () => NOW, logger }).run(new AbortController().signal);
  const expired = await collectionOf(models.orders).find({ status: 'expired' }).toArray();
  expect(expired.map(({ outbox }) => outbox?.map(({ type, version, changes }) => [type, version, changes]))).toEqual(
    expired.map(() => [
      ['order.expired', 2, JSON.stringify([{ path: 'status', before: 'pending', after: 'expired' }])],
    ]),
  );
});
