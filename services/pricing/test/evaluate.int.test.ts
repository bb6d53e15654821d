import type { CartEvaluation, Evaluation } from '@event-commerce/contracts';
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

test('the lines of a cart are priced together in one request', async () => {
  const { companyId, api } = pricing.newCompany();
  const code = newCode();
  await api().post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, minQuantity: 3 } }));
  const line = (id: string, amount: number, quantity: number) => ({
    offering: { id, eventId: 'evt_1', price: { amount, currency: 'EUR' } },
    quantity,
  });
  const body = { lines: [line('off_1', 5_000, 2), line('off_2', 1_000, 1)], cartContext: { codes: [code] } };
  const priced = await pricing.ask<CartEvaluation>(companyId, body, { of: 'cart' });
  expect(priced.lines.map((priceLine) => priceLine.total)).toEqual([8_000, 800]);
  expect(priced.summary).toMatchObject({ subtotal: 11_000, total: 8_800 });
});

test('a cart of two currencies is refused', async () => {
  const line = (currency: string) => ({ offering: { id: 'o', price: { amount: 1, currency } }, quantity: 1 });
  const body = { lines: [line('EUR'), line('USD')], cartContext: {} };
  const asked = pricing.ask(pricing.newCompany().companyId, body, { of: 'cart' });
  await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'lines' }] });
});

test('a request without identity is refused, over HTTP and over the bus', async () => {
  const response = await fetch(`${pricing.replicas[0]?.url}/pricing/adjustments`);
  expect(response.status).toBe(401);
  const reply = await pricing.bus.nats.request('rpc.pricing.evaluate', JSON.stringify(evaluationBody()), {
    timeout: 2_000,
  });
  expect(reply.headers?.get('status')).toBe('401');
});
