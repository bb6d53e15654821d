import type { Evaluation } from '@event-commerce/contracts';
import { adjustmentBody, evaluationBody, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
});
afterAll(async () => pricing.stop());

test.each<[string, unknown, string]>([
  ['without an offering', { cartContext: {} }, 'offering'],
  ['without a cart context', { offering: { id: 'o', price: { amount: 1 } } }, 'cartContext'],
  ['with a price as text', { offering: { id: 'o', price: { amount: '1' } }, cartContext: {} }, 'offering.price.amount'],
  ['with half a cent', { offering: { id: 'o', price: { amount: 1.5 } }, cartContext: {} }, 'offering.price.amount'],
  ['with a negative price', { offering: { id: 'o', price: { amount: -1 } }, cartContext: {} }, 'offering.price.amount'],
  [
    'with an operator for an id',
    { offering: { id: { in: [] }, price: { amount: 1 } }, cartContext: {} },
    'offering.id',
  ],
  ['with an instant that is none', evaluationBody({ now: 'tomorrow' }), 'cartContext.now'],
])('a request %s is refused, naming the field', async (_what, body, path) => {
  await expect(pricing.ask(pricing.newCompany().companyId, body)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: expect.arrayContaining([expect.objectContaining({ path })]),
  });
});

test("another company's offering is refused", async () => {
  const body = { offering: { id: 'o', companyId: 'other', price: { amount: 1 } }, cartContext: {} };
  await expect(pricing.ask(pricing.newCompany().companyId, body)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('target mismatches are listed, or left out when only candidates are asked for', async () => {
  const { companyId, api } = pricing.newCompany();
  await api().post('/pricing/adjustments', adjustmentBody(newCode(), { targets: [{ eventId: 'evt_other' }] }));
  const reasons = async (options: Record<string, string>) =>
    (await pricing.ask<Evaluation>(companyId, evaluationBody(), options)).droppedAdjustments.map(
      ({ reason }) => reason,
    );
  expect(await reasons({})).toEqual(['target-mismatch']);
  expect(await reasons({ dropped: 'candidates' })).toEqual([]);
});

test('a redeemed cap and a customer who had their share show in the next evaluation', async () => {
  const { companyId, api } = pricing.newCompany();
  const [capped, shared] = [newCode(), newCode()];
  const create = async (code: string, conditions: Record<string, unknown>) =>
    (await api().post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, ...conditions } }))).body.data
      .id;
  const cappedId = await create(capped, { maxRedemptions: 1 });
  const sharedId = await create(shared, { maxRedemptionsPerCustomer: 1 });
  const reasonOf = async (code: string, customerId?: string) =>
    (await pricing.ask<Evaluation>(companyId, evaluationBody({ codes: [code], customerId }))).codes[0];

  expect(await reasonOf(capped)).toMatchObject({ status: 'applied' });
  expect(await reasonOf(shared)).toMatchObject({ status: 'dropped', reason: 'customer-missing' });
  expect(await reasonOf(shared, 'c1')).toMatchObject({ status: 'applied' });
  for (const id of [cappedId, sharedId]) {
    await api().post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o1', customerId: 'c1' });
  }
  expect(await reasonOf(capped)).toMatchObject({ status: 'dropped', reason: 'redemption-limit-reached' });
  expect(await reasonOf(shared, 'c1')).toMatchObject({ reason: 'customer-redemption-limit-reached' });
  expect(await reasonOf(shared, 'c2')).toMatchObject({ status: 'applied' });
});

const line = (id: string, amount: number, quantity: number, currency = 'EUR') => ({
  offering: { id, eventId: 'evt_1', price: { amount, currency } },
  quantity,
});

test('the lines of a cart are priced together, and carts of one request by themselves', async () => {
  const { companyId, api } = pricing.newCompany();
  const code = newCode();
  await api().post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, minQuantity: 3 } }));
  const cartContext = { codes: [code] };
  const [three, two] = await pricing.askCarts(companyId, [
    { lines: [line('off_1', 5_000, 2), line('off_2', 1_000, 1)], cartContext },
    { lines: [line('off_1', 5_000, 2)], cartContext },
  ]);
  expect(three).toMatchObject({
    evaluation: { lines: [{ total: 8_000 }, { total: 800 }], summary: { subtotal: 11_000, total: 8_800 } },
  });
  expect(two).toMatchObject({ evaluation: { lines: [{ total: 10_000 }], codes: [{ status: 'dropped' }] } });
});

test('a cart of two currencies is refused, and the others of its request are priced', async () => {
  const mixed = { lines: [line('o', 1, 1, 'EUR'), line('o', 1, 1, 'USD')], cartContext: {} };
  const plain = { lines: [line('o', 1, 1)], cartContext: {} };
  const [refused, priced] = await pricing.askCarts(pricing.newCompany().companyId, [mixed, plain]);
  expect(refused).toMatchObject({ refusal: { code: 'VALIDATION_FAILED', details: [{ path: 'lines' }] } });
  expect(priced).toMatchObject({ evaluation: { summary: { total: 1 } } });
});

test('carts of more than 500 lines in all are refused together', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => line(`o${n}`, 1, 1));
  const asked = pricing.askCarts(pricing.newCompany().companyId, [
    { lines, cartContext: {} },
    { lines, cartContext: {} },
  ]);
  await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'carts' }] });
});

test('the prices of a company that asks for the costliest carts are worked out after what others ask meanwhile', async () => {
  const [busy, other] = [pricing.newCompany(), pricing.newCompany()];
  const adjustment = { type: 'promotion', conditions: {}, stacking: 'exclusive' };
  for (let n = 0; n < 60; n++) {
    const body = adjustmentBody(newCode(), { ...adjustment, effect: { kind: 'percentage_off', percent: 1 + n } });
    expect((await busy.api().post('/pricing/adjustments', body)).status).toBe(201);
  }
  await pricing.ask(other.companyId, evaluationBody());
  const lines = Array.from({ length: 500 }, (_, n) => line(`o${n}`, 100, 1));
  let answered = 0;
  const costly = Array.from({ length: 30 }, async () => {
    const [cart] = await pricing.askCarts(busy.companyId, [{ lines, cartContext: {} }]);
    answered += 1;
    return cart;
  });
  await pricing.ask(other.companyId, evaluationBody());
  expect(answered).toBeLessThan(costly.length / 2);
  for (const cart of await Promise.all(costly))
    expect(cart).toMatchObject({ evaluation: { summary: { total: 20_000 } } });
});

test('a request without identity is refused, over HTTP and over the bus', async () => {
  const response = await fetch(`${pricing.replicas[0]?.url}/pricing/adjustments`);
  expect(response.status).toBe(401);
  const reply = await pricing.bus.nats.request('rpc.pricing.evaluate', JSON.stringify(evaluationBody()), {
    timeout: 2_000,
  });
  expect(reply.headers?.get('status')).toBe('401');
});

test('while the events service is away, prices that need nothing of it go on, and others are refused', async () => {
  // None runs beside these replicas.
  const adjusted = async (target: unknown) => {
    const company = pricing.newCompany();
    const body = adjustmentBody(newCode(), { type: 'promotion', conditions: {}, targets: [target] });
    expect((await company.api().post('/pricing/adjustments', body)).status).toBe(201);
    return company.companyId;
  };
  const total = async (companyId: string) =>
    (await pricing.ask<Evaluation>(companyId, evaluationBody({ quantity: 1 }))).summary.total;
  expect(await total(await adjusted({ eventId: 'evt_1' }))).toBe(4000);
  const venue = total(await adjusted({ urn: 'urn:v1::events:venue/ven_1' }));
  await expect(venue).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
