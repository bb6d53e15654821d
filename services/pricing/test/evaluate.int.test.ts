import type { Evaluation, Scope } from '@event-commerce/contracts';
import { adjustmentBody, evaluationBody, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { create } from './buying.ts';
import { aLine, type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
});
afterAll(async () => pricing?.stop());

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
  const createCapped = async (code: string, conditions: Record<string, unknown>) =>
    (await api().post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, ...conditions } }))).body.data
      .id;
  const cappedId = await createCapped(capped, { maxRedemptions: 1 });
  const sharedId = await createCapped(shared, { maxRedemptionsPerCustomer: 1 });
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

/** An evaluation without what differs between an adjustment that is proposed and the same one once it is saved. */
function withoutIds(evaluation: Evaluation, names: Record<string, string>): unknown {
  const entries = Object.entries(names);
  return JSON.parse(entries.reduce((text, [id, name]) => text.replaceAll(id, name), JSON.stringify(evaluation)));
}

test('what would be saved gives the price that it gives once it is saved, and until then changes nothing', async () => {
  const { companyId, api } = pricing.newCompany();
  const [code, other] = [newCode(), newCode()];
  const stored = (await api().post('/pricing/adjustments', adjustmentBody(code, { conditions: { code } }))).body.data;
  await api().post(`/pricing/adjustments/${stored.id}/redemptions`, { orderId: 'o1' });
  const changed = { ...adjustmentBody(code), conditions: { code, maxRedemptions: 1 } };
  const cheaper = adjustmentBody(other, { effect: { kind: 'percentage_off', percent: 30 } });
  const elsewhere = adjustmentBody(newCode(), { targets: [{ eventId: 'evt_other' }] });
  const question = evaluationBody({ codes: [code, other] });
  const before = await pricing.ask<Evaluation>(companyId, question);

  const proposed = [{ ...changed, id: stored.id }, cheaper, elsewhere];
  const asked = await pricing.ask<Evaluation>(companyId, { ...question, proposed });
  expect(asked.codes).toMatchObject([
    { status: 'dropped', adjustmentId: stored.id, reason: 'redemption-limit-reached' },
    { status: 'applied', adjustmentId: 'proposed_1' },
  ]);
  expect(await pricing.ask(companyId, question)).toEqual(before);

  expect((await api().patch(`/pricing/adjustments/${stored.id}`, { conditions: changed.conditions })).status).toBe(200);
  const ids: Record<string, string> = {};
  for (const [n, body] of [cheaper, elsewhere].entries()) {
    ids[(await api().post('/pricing/adjustments', body)).body.data.id] = `proposed_${n + 1}`;
  }
  expect(withoutIds(await pricing.ask(companyId, question), ids)).toEqual(asked);
});

test('a proposed change of what is paused counts as if it were active again', async () => {
  const { companyId, api } = pricing.newCompany();
  const body = adjustmentBody(newCode(), { type: 'promotion', conditions: {}, status: 'paused' });
  const { id } = (await api().post('/pricing/adjustments', body)).body.data;
  const total = async (proposed: unknown[]) =>
    (await pricing.ask<Evaluation>(companyId, { ...evaluationBody(), proposed })).summary.total;
  expect(await total([])).toBe(10_000);
  expect(await total([{ ...body, id, status: 'active' }])).toBe(8_000);
});

test.each<[string, (held: { code: string; id: string }) => unknown[], object]>([
  [
    'with a code that another holds',
    ({ code }) => [adjustmentBody(code)],
    { code: 'COUPON_CODE_TAKEN', details: [{ path: 'proposed[0].conditions.code' }] },
  ],
  [
    'that share a code',
    () => [adjustmentBody('TWICE'), adjustmentBody('twice')],
    { code: 'COUPON_CODE_TAKEN', details: [{ path: 'proposed[1].conditions.code' }] },
  ],
  [
    'of which a scheduled one takes the code that an active one keeps',
    ({ code, id }) => [
      adjustmentBody(code, { status: 'scheduled', conditions: { code, startsAt: '2999-01-01T00:00Z' } }),
      adjustmentBody(code, { id }),
    ],
    { code: 'COUPON_CODE_TAKEN', details: [{ path: 'proposed[0].conditions.code' }] },
  ],
  ['of an id that there is not', () => [{ ...adjustmentBody('A'), id: 'adj_none' }], { code: 'ADJUSTMENT_NOT_FOUND' }],
  [
    'that become one adjustment',
    ({ id }) => [adjustmentBody('A', { id }), adjustmentBody('B', { id })],
    { code: 'VALIDATION_FAILED', details: [{ path: 'proposed' }] },
  ],
  [
    'that could not be created',
    () => [adjustmentBody('A', { effect: { kind: 'percentage_off', percent: 120 } })],
    { code: 'VALIDATION_FAILED', details: [{ path: 'proposed[0].effect.percent' }] },
  ],
  [
    'with a misspelt member',
    () => [adjustmentBody('A', { prioritty: 1 })],
    { code: 'VALIDATION_FAILED', details: [{ path: 'proposed[0].prioritty' }] },
  ],
  [
    'that are too many',
    () => Array.from({ length: 11 }, (_, n) => adjustmentBody(`A${n}`)),
    { code: 'VALIDATION_FAILED', details: [{ path: 'proposed' }] },
  ],
])('proposed adjustments %s are refused as saving them would be', async (_what, proposed, refusal) => {
  const { companyId, api } = pricing.newCompany();
  const code = newCode();
  const { id } = (await api().post('/pricing/adjustments', adjustmentBody(code))).body.data;
  const asked = pricing.ask(companyId, { ...evaluationBody(), proposed: proposed({ code, id }) });
  await expect(asked).rejects.toMatchObject(refusal);
});

test('only a key that may read adjustments may propose some', async () => {
  const { companyId } = pricing.newCompany();
  const ask = async (scopes: Scope[]) =>
    await pricing.ask(companyId, { ...evaluationBody(), proposed: [adjustmentBody('A')] }, {}, scopes);
  await expect(ask(['pricing:evaluate'])).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(ask(['pricing:evaluate', 'pricing:read'])).resolves.toMatchObject({ summary: { total: 10_000 } });
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
  const costly = Array.from({ length: 12 }, async () => {
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
  const [company, bound] = [pricing.newCompany(), pricing.newCompany()];
  await create(company, { targets: [{ eventId: 'evt_1' }] });
  await create(bound, { targets: [{ urn: 'urn:v1::events:venue/ven_1' }] });
  const { summary } = await pricing.ask<Evaluation>(company.companyId, evaluationBody({ quantity: 1 }));
  expect(summary.total).toBe(4500);
  const outage = { code: 'SERVICE_UNAVAILABLE' };
  await expect(pricing.ask(bound.companyId, evaluationBody())).rejects.toMatchObject(outage);
  await expect(pricing.purchase(bound.companyId)).rejects.toMatchObject(outage);
  const carts = [{ lines: [aLine()], cartContext: {} }];
  expect(await pricing.askCarts(bound.companyId, carts)).toMatchObject([{ refusal: outage }]);
});
