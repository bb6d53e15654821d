import { randomUUID } from 'node:crypto';
import { newId } from '@event-commerce/service-kit';
import { adjustmentBody, type Reply } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Carts, startCarts } from './cart-fixture.ts';

const COUPONS = 2_000;
const CARTS = 100;

let carts: Carts;
beforeAll(async () => {
  carts = await startCarts({ replicas: 2 });
});
afterAll(async () => carts?.stop());

test(`${CARTS} carts of a company with ${COUPONS} coupons for everything change and are read at the same time`, async () => {
  const company = carts.newCompany();
  expect((await company.pricing.post('/pricing/adjustments', adjustmentBody('CODE-0'))).status).toBe(201);
  // The others are written as that one was: over HTTP, 2,000 would take most of the test's time.
  const adjustments = carts.pricingDatabase().collection<{ _id: string; conditions: object }>('adjustments');
  const first = await adjustments.findOne({ companyId: company.companyId } as never);
  const copies = Array.from({ length: COUPONS - 1 }, (_, n) => {
    const code = `CODE-${n + 1}`;
    return { ...first!, _id: newId('adj'), heldCode: code, conditions: { ...first!.conditions, code }, outbox: [] };
  });
  await adjustments.insertMany(copies);
  await company.offer({ id: 'off_1', price: { amount: 1_000, currency: 'EUR' } });

  const sessions = Array.from({ length: CARTS }, () => `session-${randomUUID()}`);
  const item = { offeringId: 'off_1', quantity: 1 };
  const prepared = sessions.map((id) => company.api().post('/cart/sessions', { id, coupons: ['code-7'] }));
  expect(new Set((await Promise.all(prepared)).map(({ status }) => status))).toEqual(new Set([201]));
  const change = async (id: string, n: number) => company.api(n % 2).post(`/cart/sessions/${id}/item`, item);
  const changed = await Promise.all(sessions.map(change));
  const both = await Promise.all(
    sessions.flatMap((id, n): Promise<Reply>[] => [change(id, n), company.api(n % 2).get(`/cart/sessions/${id}`)]),
  );
  const replies = [...changed, ...both];
  expect(replies.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body])).toEqual([]);
  expect(new Set(replies.map(({ body }) => `${body.data.total} ${body.data.priceStatus}`))).toEqual(
    new Set(['800 current']),
  );
});
