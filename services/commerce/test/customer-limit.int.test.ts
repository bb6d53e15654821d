import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

/** A shop whose ticket a customer may have twice. */
async function newLimitedShop() {
  const shop = await newShop(services);
  const { commerce, events, ticket } = shop;
  expect((await events.patch(`/offerings/${ticket}`, { maxPerCustomer: 2 })).status).toBe(200);
  const bodyOf = (quantity: number, customer: object, more: object = {}) =>
    shop.body({ items: [{ offeringId: ticket, quantity }], customer, ...more });
  return {
    ...shop,
    bodyOf,
    order: async (quantity: number, customer: object = { email: 'ada@example.com' }) => {
      const { status, body } = await commerce.post('/orders', bodyOf(quantity, customer));
      return status === 201 ? (body.data.order.id as string) : (body.error.code as string);
    },
    move: async (id: string, to: string, body: object = {}) => {
      const moved = await commerce.post(`/orders/${id}/${to}`, body);
      return moved.body.error?.code ?? moved.status;
    },
  };
}

test('an order above a customer’s limit is refused, and the orders before it count while they stand', async () => {
  const { ticket, commerce, bodyOf, order, move } = await newLimitedShop();
  const first = await order(2);
  const refused = await commerce.post('/orders', bodyOf(1, { email: ' ADA@Example.com' }));
  const why = 'allows 2 tickets per customer; this one has 2, and the order asks for 1 more';
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    {
      code: 'CUSTOMER_LIMIT_REACHED',
      // The message may go on: the first order was just placed.
      message: expect.stringContaining(`Offering ${ticket} ${why}.`),
      details: [{ path: 'order.items[0]', offeringId: ticket, left: 0, message: why }],
    },
  ]);
  expect(await order(1, { email: 'grace@example.com' })).toMatch(/^ord_/);
  expect(await move(first, 'cancel')).toBe(200);
  const second = await order(1);
  // The customer would have three.
  const again = await commerce.post(`/orders/${first}/reopen`, {});
  expect([again.body.error.code, again.body.error.details]).toMatchObject([
    'CUSTOMER_LIMIT_REACHED',
    [{ path: 'id', offeringId: ticket, left: 1 }],
  ]);
  expect(await move(second, 'cancel')).toBe(200);
  expect(await move(first, 'reopen')).toBe(200);
  expect(await order(1)).toBe('CUSTOMER_LIMIT_REACHED');
});

test('a pending order counts, and gives back what it held when it expires', async () => {
  const { commerce, bodyOf, order } = await newLimitedShop();
  const pending = bodyOf(2, { email: 'ada@example.com' }, { expiresInSeconds: 60 });
  const { body } = await commerce.post('/orders', pending);
  expect(await order(1)).toBe('CUSTOMER_LIMIT_REACHED');
  const past = { $set: { expiresAt: new Date(Date.now() - 1_000) } };
  await services.models.commerce.orders.updateOne({ _id: body.data.order.id }, past);
  await expect.poll(async () => order(2), PATIENT).toMatch(/^ord_/);
});

test('an amended order counts with what it then has, and is refused only for what it adds', async () => {
  const { ticket, order, move, events } = await newLimitedShop();
  const id = await order(1);
  const amendTo = async (quantity: number) =>
    move(id, 'amendments', { mode: 'keep', items: [{ offeringId: ticket, quantity }] });
  expect(await amendTo(3)).toBe('CUSTOMER_LIMIT_REACHED');
  expect(await amendTo(2)).toBe(201);
  expect(await order(1)).toBe('CUSTOMER_LIMIT_REACHED');
  await events.patch(`/offerings/${ticket}`, { maxPerCustomer: 1 });
  expect(await amendTo(1)).toBe(201);
  expect(await amendTo(2)).toBe('CUSTOMER_LIMIT_REACHED');
  expect(await order(1)).toBe('CUSTOMER_LIMIT_REACHED');
});

test('one customer with many orders at once, on two replicas, gets no more than allowed', async () => {
  const { commerce, bodyOf, order, sold } = await newLimitedShop();
  const spellings = [{ email: 'ada@example.com' }, { id: 'ada', email: 'ADA@example.com' }];
  const replies = await Promise.all(
    Array.from({ length: 12 }, async (_, n) =>
      commerce.replica(n % 2).post('/orders', bodyOf(1, spellings[n % 2] ?? {})),
    ),
  );
  expect(replies.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(2);
  expect(new Set(replies.filter(({ status }) => status !== 201).map(({ body }) => body.error.code))).toEqual(
    new Set(['CUSTOMER_LIMIT_REACHED']),
  );
  // The refused ones no longer hold anything.
  await expect
    .poll(async () => {
      await order(1);
      return sold();
    }, PATIENT)
    .toMatchObject({ sold: 2 });
  expect(await order(1)).toBe('CUSTOMER_LIMIT_REACHED');
});
