import { randomUUID } from 'node:crypto';
import { hostileMembers, liveTenant, newDatabase } from '@event-commerce/test-kit';
import { beforeAll, expect, inject, test } from 'vitest';
import { commerceModels, type OrderDocument } from '../src/models.ts';
import { type OrderRepository, orderRepository } from '../src/orders/order.repository.ts';

let orders: OrderRepository;
beforeAll(async () => {
  const { connection, drop } = await newDatabase(inject('mongoUrl'));
  const models = commerceModels(connection);
  await models.orders.createIndexes();
  orders = orderRepository(models, { publish: () => {}, stop: async () => {} });
  return drop;
});

const tenant = liveTenant('company-1');
const order = (change: Record<string, unknown> = {}) =>
  ({
    _id: `ord_${randomUUID()}`,
    companyId: tenant,
    orderNumber: randomUUID(),
    customer: { email: 'ada@example.com' },
    items: [],
    coupons: [],
    costs: { subtotal: 0, fees: 0, tax: 0, total: 0, currency: 'EUR' },
    claims: [],
    outbox: [],
    createdAt: new Date(),
    changedAt: new Date(),
    ...change,
  }) as unknown as OrderDocument;

/** The outcomes of `good` when all run together; each should be as if it ran alone. */
async function outcomes<T>(good: (() => Promise<T>)[], hostile: (() => Promise<unknown>)[]): Promise<T[]> {
  const ofHostile = Promise.allSettled(hostile.slice(0, 6).map((run) => run()));
  const running = Promise.all(good.map((run) => run()));
  const ofRest = Promise.allSettled(hostile.slice(6).map((run) => run()));
  await Promise.all([ofHostile, ofRest]);
  return await running;
}

test.each(Object.entries(hostileMembers()))('an order that contains %s fails alone', async (_what, meta) => {
  for (let round = 0; round < 5; round++) {
    const written = await outcomes(
      Array.from({ length: 20 }, () => () => orders.insert(order(), 1_000)),
      [() => orders.insert(order({ meta }), 1_000)],
    );
    expect(new Set(written)).toEqual(new Set(['written']));
  }
});

test('orders of every hostile kind at once do not affect the others', async () => {
  const good = Array.from({ length: 80 }, () => order());
  const written = await outcomes(
    good.map((one) => () => orders.insert(one, 1_000)),
    Object.values(hostileMembers()).map((meta) => () => orders.insert(order({ meta }), 1_000)),
  );
  expect(new Set(written)).toEqual(new Set(['written']));
  for (const { companyId, orderNumber, _id } of good) {
    expect((await orders.findByNumber(companyId, orderNumber))?.order.id).toBe(_id);
  }
});

test.each(['\u0000', '\ud800', '$where', '__proto__', 'x'.repeat(17 * 1024 * 1024)])(
  'an order number is found, whatever is looked up with it (%.20j)',
  async (hostile) => {
    const good = Array.from({ length: 20 }, () => order());
    await Promise.all(good.map((one) => orders.insert(one, 1_000)));
    const found = await outcomes(
      good.map(
        ({ companyId, orderNumber }) =>
          () =>
            orders.findByNumber(companyId, orderNumber),
      ),
      [
        () => orders.findByNumber(tenant, hostile),
        () => orders.findByNumber(hostile as never, hostile),
        () => orders.findByNumber(tenant, { $ne: hostile } as never),
        () => orders.findByNumber({ _bsontype: 'ObjectId' } as never, 'x'),
      ],
    );
    expect(found.map((one) => one?.order.id)).toEqual(good.map(({ _id }) => _id));
  },
);

test('a number belongs to one order, even if orders are concurrent', async () => {
  const orderNumber = randomUUID();
  const written = await outcomes(
    [
      ...Array.from({ length: 20 }, () => () => orders.insert(order(), 1_000)),
      ...Array.from({ length: 20 }, () => () => orders.insert(order({ orderNumber }), 1_000)),
    ],
    Object.values(hostileMembers()).map((meta) => () => orders.insert(order({ meta }), 1_000)),
  );
  expect(Object.groupBy(written, (one) => one)).toMatchObject({
    written: { length: 21 },
    'number-taken': { length: 19 },
  });
});
