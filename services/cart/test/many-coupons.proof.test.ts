import { randomUUID } from 'node:crypto';
import { newId } from '@event-commerce/service-kit';
import { adjustmentBody, proofSize, type Reply } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Services, startServices } from '../../../tests/harness/services.ts';
import { offer } from './offers.ts';
import { createAdjustment, item, newSessionId } from './sessions.ts';

const CARTS = proofSize(25, 100);

let services: Services;
beforeAll(async () => {
  services = await startServices({ replicas: { cart: 2, pricing: 2, events: 1 }, asProcesses: ['pricing'] });
});
afterAll(async () => services?.stop());

test.each([
  { codes: 2_000, discounts: 0, items: 1 },
  { codes: 1_000, discounts: 1_000, items: 20 },
  {
    codes: 1,
    discounts: proofSize(300, 1_000),
    items: 1,
    stacking: 'stackable',
    effect: { kind: 'amount_off', amount: 1, currency: 'EUR' },
  },
])(
  `${CARTS} carts (items: $items) of a company with $codes codes and $discounts discounts can change and be read at once`,
  async (shape) => {
    const company = services.newCompany();
    const { codes, discounts, items, ...like } = shape;
    const body = { ...adjustmentBody('CODE-0'), ...like };
    expect((await company.pricing.post('/pricing/adjustments', body)).status).toBe(201);
    // The others are copied from that one: creating 2,000 over HTTP would take most of the test's time.
    const adjustments = services.databases.pricing.collection<{ _id: string; conditions: object }>('adjustments');
    const first = await adjustments.findOne({ companyId: company.companyId } as never);
    const copies = Array.from({ length: codes - 1 + discounts }, (_, n) => {
      const copy = { ...first, _id: newId('adj'), outbox: [] };
      const code = `CODE-${n + 1}`;
      if (n < codes - 1) return { ...copy, heldCode: code, conditions: { code } };
      return { ...copy, heldCode: undefined, conditions: {}, type: 'promotion' };
    });
    await adjustments.insertMany(copies, { ignoreUndefined: true });
    const offerings = Array.from({ length: items }, (_, n) => ({ offeringId: `off_${n}`, quantity: 1 }));
    for (const { offeringId: id } of offerings) await offer(company, { id });

    const sessions = Array.from({ length: CARTS }, () => `session-${randomUUID()}`);
    const prepared = sessions.map((id) =>
      company.cart.post('/cart/sessions', { id, coupons: ['code-7'], items: offerings }),
    );
    expect(unlike(201, await Promise.all(prepared))).toEqual([]);
    const change = async (id: string, n: number) =>
      company.cart.replica(n % 2).post(`/cart/sessions/${id}/item`, offerings[0]);
    const changed = await Promise.all(sessions.map(change));
    const both = await Promise.all(
      sessions.flatMap((id, n): Promise<Reply>[] => [
        change(id, n),
        company.cart.replica(n % 2).get(`/cart/sessions/${id}`),
      ]),
    );
    const replies = [...changed, ...both];
    expect(unlike(200, replies)).toEqual([]);
    const total = items * (like.stacking === undefined ? 4_000 : 5_000 - discounts);
    expect(new Set(replies.map(({ body: { data } }) => `${data.total} ${data.priceStatus}`))).toEqual(
      new Set([`${total} current`]),
    );
  },
);

test('a page of sessions ends at 1 MiB of current prices, however small the stored ones are', async () => {
  const company = services.newCompany();
  const ids = ['a', 'b', 'c'].map((name) => `${newSessionId()}-${name}`);
  const items = Array.from({ length: 40 }, (_, n) => item(`o${n}`, 1, { price: 1_000 }));
  for (const id of ids) expect((await company.cart.post('/cart/sessions', { id, items })).status).toBe(201);
  const fee = { kind: 'amount_surcharge', amount: 1, currency: 'EUR' };
  const automatic = { type: 'fee', stacking: 'stackable', conditions: {}, effect: fee };
  for (let n = 0; n < 60; n++) {
    await createAdjustment(company, adjustmentBody('', { ...automatic, name: `${n}`.padEnd(200, 'x'), category: 'f' }));
  }
  const listed: string[] = [];
  let cursor = '';
  for (let pages = 1; pages <= ids.length; pages++) {
    const { body } = await company.cart.get(`/cart/sessions?limit=3${cursor}`);
    expect(JSON.stringify(body.data).length).toBeLessThan(1.3 * 2 ** 20);
    listed.push(...body.data.map(({ id }: any) => id));
    if (body.page.next === null) break;
    cursor = `&cursor=${body.page.next}`;
  }
  expect(listed.toSorted()).toEqual(ids.toSorted());
});

/** The replies with any other status, with the reason. */
function unlike(expected: number, replies: readonly Reply[]): unknown[] {
  return replies.filter(({ status }) => status !== expected).map(({ status, body }) => [status, body]);
}
