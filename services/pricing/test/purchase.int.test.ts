import type { PurchaseReply, PurchaseRequest } from '@event-commerce/contracts';
import { adjustmentBody, liveTenant, newCode } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aLine, type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2 });
});
afterAll(async () => pricing.stop());

/** Ten percent off for everybody, unless `changes` say otherwise. */
async function create(company: Company, changes: Record<string, unknown> = {}): Promise<string> {
  const automatic = {
    name: 'Spring',
    type: 'promotion',
    category: 'promotion',
    origin: 'manual',
    stacking: 'stackable',
    conditions: {},
    effect: { kind: 'percentage_off', percent: 10 },
  };
  const { status, body } = await company
    .api()
    .post('/pricing/adjustments', adjustmentBody('', { ...automatic, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data.id;
}

/** 20 % off for a code. */
async function createCoupon(company: Company, conditions: Record<string, unknown> = {}, changes = {}) {
  const code = newCode();
  const { status, body } = await company
    .api()
    .post('/pricing/adjustments', adjustmentBody(code, { conditions: { code, ...conditions }, ...changes }));
  expect([status, body.error]).toEqual([201, undefined]);
  return { code, id: body.data.id as string };
}

const buy = async (company: Company, request: Partial<PurchaseRequest> = {}) =>
  await pricing.purchase(company.companyId, request);

const refusalOf = async (company: Company, request: Partial<PurchaseRequest> = {}) =>
  await buy(company, request).then(
    (reply) => expect.fail(`was not refused: ${JSON.stringify(reply)}`),
    (error: unknown) => error,
  );

async function usage(company: Company, id: string) {
  const document = await pricing.models.usages.findOne({ _id: id, companyId: liveTenant(company.companyId) }).lean();
  const { confirmed = 0, claimed = 0, pending = [] } = document ?? {};
  return { confirmed, claimed, pending: pending.length };
}
const NOTHING = { confirmed: 0, claimed: 0, pending: 0 };
const ONE = { confirmed: 0, claimed: 1, pending: 1 };

const redeemed = ({ claims }: PurchaseReply) => claims.map(({ adjustmentId }) => adjustmentId).toSorted();

describe('a purchase', () => {
  test('claims exactly what makes its price', async () => {
    const company = pricing.newCompany();
    const spring = await create(company);
    await create(company, { conditions: { minQuantity: 3 } });
    const fee = await create(company, {
      effect: { kind: 'amount_surcharge', amount: 150, currency: 'EUR', per: 'order' },
    });
    const { code, id } = await createCoupon(company, { maxRedemptions: 5 });
    const reply = await buy(company, { codes: [code.toLowerCase()], charges: 500, expectedTotal: 7_650 });
    expect(redeemed(reply)).toEqual([spring, fee, id].toSorted());
    expect(reply.price?.summary).toMatchObject({ subtotal: 10_000, total: 7_150, currency: 'EUR' });
    expect(reply.platformTotal).toBe(7_150);
    expect(reply.codes).toEqual([{ code: code.toLowerCase(), status: 'applied', adjustmentId: id }]);
    expect(reply.claims.find(({ adjustmentId }) => adjustmentId === id)?.code).toBe(code);
    for (const claimed of [spring, fee, id]) expect(await usage(company, claimed)).toEqual(ONE);
  });

  test('without lines redeems what is named, and has no price', async () => {
    const company = pricing.newCompany();
    await create(company);
    const { code, id } = await createCoupon(company);
    const reply = await buy(company, { lines: [], codes: [code] });
    expect([redeemed(reply), reply.price, reply.platformTotal]).toEqual([[id], undefined, undefined]);
  });

  test('with stated prices is charged at them, and says what it costs at list prices', async () => {
    const company = pricing.newCompany();
    const spring = await create(company);
    const reply = await buy(company, { lines: [aLine({ statedPrice: 3_000 })], expectedTotal: 5_400 });
    expect([reply.price?.summary.total, reply.platformTotal]).toEqual([5_400, 9_000]);
    expect(redeemed(reply)).toEqual([spring]);
  });

  test('does not claim a code that lost against a better one, and says why', async () => {
    const company = pricing.newCompany();
    const better = await createCoupon(company);
    const worse = await createCoupon(company, {}, { effect: { kind: 'percentage_off', percent: 5 } });
    const reply = await buy(company, { codes: [worse.code, better.code] });
    expect(redeemed(reply)).toEqual([better.id]);
    expect(reply.codes).toMatchObject([
      { code: worse.code, status: 'dropped', reason: 'replaced-within-category', adjustmentId: worse.id },
      { code: better.code, status: 'applied' },
    ]);
    expect(await usage(company, worse.id)).toEqual(NOTHING);
  });

  test('names a code that no active adjustment holds, and claims nothing', async () => {
    const company = pricing.newCompany();
    const spring = await create(company);
    expect(await refusalOf(company, { codes: ['NOBODY'] })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'order.coupons', message: expect.stringContaining('NOBODY') }],
    });
    expect(await usage(company, spring)).toEqual(NOTHING);
  });

  test('that does not cost what was expected is refused with both totals, and claims nothing', async () => {
    const company = pricing.newCompany();
    const spring = await create(company);
    const { code, id } = await createCoupon(company);
    expect(await refusalOf(company, { codes: [code], charges: 100, expectedTotal: 7_000 })).toMatchObject({
      code: 'PRICE_CHANGED',
      message: 'The order costs 7100 now, and expectedTotal is 7000 (minor units of EUR).',
      details: [
        { path: 'order.expectedTotal', expectedTotal: 7_000, total: 7_100, currency: 'EUR' },
        ...[
          { path: 'order.items', adjustmentId: spring, total: -1_000 },
          { path: 'order.coupons', adjustmentId: id, code, total: -2_000 },
        ].map((detail) => expect.objectContaining(detail)),
      ],
    });
    expect(await usage(company, spring)).toEqual(NOTHING);
    expect(await usage(company, id)).toEqual(NOTHING);
  });
});
