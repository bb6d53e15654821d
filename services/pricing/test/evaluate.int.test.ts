import type { Evaluation, Scope } from '@event-commerce/contracts';
import { adjustmentBody, evaluationBody, newCode } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { sharedServices } from '../../../tests/harness/services.ts';
import { evaluate, evaluateCarts } from './purchases.ts';

const services = await sharedServices();

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
  await expect(evaluate(services, services.newCompany(), body)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    details: expect.arrayContaining([expect.objectContaining({ path })]),
  });
});

test("another company's offering is refused", async () => {
  const body = { offering: { id: 'o', companyId: 'other', price: { amount: 1 } }, cartContext: {} };
  await expect(evaluate(services, services.newCompany(), body)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('target mismatches are listed, or left out when only candidates are requested', async () => {
  const company = services.newCompany();
  const { pricing } = company;
  await pricing.post('/pricing/adjustments', adjustmentBody(newCode(), { targets: [{ eventId: 'evt_other' }] }));
  const reasons = async (options: Record<string, string>) =>
    (await evaluate(services, company, evaluationBody(), options)).droppedAdjustments.map(({ reason }) => reason);
  expect(await reasons({})).toEqual(['target-mismatch']);
  expect(await reasons({ dropped: 'candidates' })).toEqual([]);
});

test('a redeemed cap, in total or per customer, shows in the next evaluation', async () => {
  const company = services.newCompany();
  const { pricing } = company;
  const [capped, shared] = [newCode(), newCode()];
  const createCapped = async (code: string, conditions: Record<string, unknown>) =>
    (await pricing.post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, ...conditions } }))).body
      .data.id;
  const cappedId = await createCapped(capped, { maxRedemptions: 1 });
  const sharedId = await createCapped(shared, { maxRedemptionsPerCustomer: 1 });
  const reasonOf = async (code: string, customerId?: string) =>
    (await evaluate(services, company, evaluationBody({ codes: [code], customerId }))).codes[0];

  expect(await reasonOf(capped)).toMatchObject({ status: 'applied' });
  expect(await reasonOf(shared)).toMatchObject({ status: 'dropped', reason: 'customer-missing' });
  expect(await reasonOf(shared, 'c1')).toMatchObject({ status: 'applied' });
  for (const id of [cappedId, sharedId]) {
    await pricing.post(`/pricing/adjustments/${id}/redemptions`, { orderId: 'o1', customerId: 'c1' });
  }
  expect(await reasonOf(capped)).toMatchObject({ status: 'dropped', reason: 'redemption-limit-reached' });
  expect(await reasonOf(shared, 'c1')).toMatchObject({ reason: 'customer-redemption-limit-reached' });
  expect(await reasonOf(shared, 'c2')).toMatchObject({ status: 'applied' });
});

/** An evaluation without the fields that differ between a proposed adjustment and the same one once saved. */
function withoutIds(evaluation: Evaluation, names: Record<string, string>): unknown {
  const entries = Object.entries(names);
  return JSON.parse(entries.reduce((text, [id, name]) => text.replaceAll(id, name), JSON.stringify(evaluation)));
}

test('a proposed adjustment gives the price that it gives once saved, and until then changes nothing', async () => {
  const company = services.newCompany();
  const { pricing } = company;
  const [code, other] = [newCode(), newCode()];
  const stored = (await pricing.post('/pricing/adjustments', adjustmentBody(code, { conditions: { code } }))).body.data;
  await pricing.post(`/pricing/adjustments/${stored.id}/redemptions`, { orderId: 'o1' });
  const changed = { ...adjustmentBody(code), conditions: { code, maxRedemptions: 1 } };
  const cheaper = adjustmentBody(other, { effect: { kind: 'percentage_off', percent: 30 } });
  const elsewhere = adjustmentBody(newCode(), { targets: [{ eventId: 'evt_other' }] });
  const question = evaluationBody({ codes: [code, other] });
  const before = await evaluate(services, company, question);

  const proposed = [{ ...changed, id: stored.id }, cheaper, elsewhere];
  const asked = await evaluate(services, company, { ...question, proposed });
  expect(asked.codes).toMatchObject([
    { status: 'dropped', adjustmentId: stored.id, reason: 'redemption-limit-reached' },
    { status: 'applied', adjustmentId: 'proposed_1' },
  ]);
  expect(await evaluate(services, company, question)).toEqual(before);

  expect((await pricing.patch(`/pricing/adjustments/${stored.id}`, { conditions: changed.conditions })).status).toBe(
    200,
  );
  const ids: Record<string, string> = {};
  for (const [n, body] of [cheaper, elsewhere].entries()) {
    ids[(await pricing.post('/pricing/adjustments', body)).body.data.id] = `proposed_${n + 1}`;
  }
  expect(withoutIds(await evaluate(services, company, question), ids)).toEqual(asked);
});

test('a proposed change of a paused adjustment counts as if it were active again', async () => {
  const company = services.newCompany();
  const { pricing } = company;
  const body = adjustmentBody(newCode(), { type: 'promotion', conditions: {}, status: 'paused' });
  const { id } = (await pricing.post('/pricing/adjustments', body)).body.data;
  const total = async (proposed: unknown[]) =>
    (await evaluate(services, company, { ...evaluationBody(), proposed })).summary.total;
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
    'with a scheduled one using the code that an active one keeps',
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
  const company = services.newCompany();
  const { pricing } = company;
  const code = newCode();
  const { id } = (await pricing.post('/pricing/adjustments', adjustmentBody(code))).body.data;
  const asked = evaluate(services, company, { ...evaluationBody(), proposed: proposed({ code, id }) });
  await expect(asked).rejects.toMatchObject(refusal);
});

test('only a key that may read adjustments may propose any', async () => {
  const company = services.newCompany();
  const ask = async (scopes: Scope[]) =>
    await evaluate(services, company, { ...evaluationBody(), proposed: [adjustmentBody('A')] }, { scopes });
  await expect(ask(['pricing:evaluate'])).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(ask(['pricing:evaluate', 'pricing:read'])).resolves.toMatchObject({ summary: { total: 10_000 } });
});

const line = (id: string, amount: number, quantity: number, currency = 'EUR') => ({
  offering: { id, eventId: 'evt_1', price: { amount, currency } },
  quantity,
});

test('the lines of a cart are priced together, and the carts of one request separately', async () => {
  const company = services.newCompany();
  const { pricing } = company;
  const code = newCode();
  await pricing.post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, minQuantity: 3 } }));
  const cartContext = { codes: [code] };
  const [three, two] = await evaluateCarts(services, company, [
    { lines: [line('off_1', 5_000, 2), line('off_2', 1_000, 1)], cartContext },
    { lines: [line('off_1', 5_000, 2)], cartContext },
  ]);
  expect(three).toMatchObject({
    evaluation: { lines: [{ total: 8_000 }, { total: 800 }], summary: { subtotal: 11_000, total: 8_800 } },
  });
  expect(two).toMatchObject({ evaluation: { lines: [{ total: 10_000 }], codes: [{ status: 'dropped' }] } });
});

test('a cart with two currencies is refused, and the other carts of its request are priced', async () => {
  const mixed = { lines: [line('o', 1, 1, 'EUR'), line('o', 1, 1, 'USD')], cartContext: {} };
  const plain = { lines: [line('o', 1, 1)], cartContext: {} };
  const [refused, priced] = await evaluateCarts(services, services.newCompany(), [mixed, plain]);
  expect(refused).toMatchObject({ refusal: { code: 'VALIDATION_FAILED', details: [{ path: 'items' }] } });
  expect(priced).toMatchObject({ evaluation: { summary: { total: 1 } } });
});

test('carts of more than 500 lines in all are refused together', async () => {
  const lines = Array.from({ length: 300 }, (_, n) => line(`o${n}`, 1, 1));
  const asked = evaluateCarts(services, services.newCompany(), [
    { lines, cartContext: {} },
    { lines, cartContext: {} },
  ]);
  await expect(asked).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'carts' }] });
});

test('a request without identity is refused, over HTTP and over the bus', async () => {
  const response = await fetch(`${services.replicas.pricing[0]?.url}/pricing/adjustments`);
  expect(response.status).toBe(401);
  const reply = await services.bus.nats.request('rpc.pricing.evaluate', JSON.stringify(evaluationBody()), {
    timeout: 2_000,
  });
  expect(reply.headers?.get('status')).toBe('401');
});
