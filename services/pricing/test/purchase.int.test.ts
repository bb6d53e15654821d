import type { PlatformError, PurchaseRequest } from '@event-commerce/contracts';
import { newCode } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import {
  aLine,
  buy,
  createAutomatic,
  createCoupon,
  evaluateCarts,
  NOTHING,
  ONE,
  redeemed,
  refusalOf,
  usageOf,
} from './purchases.ts';

const services = await sharedServices();

describe('a purchase', () => {
  test('claims exactly what makes its price', async () => {
    const company = services.newCompany();
    const spring = await createAutomatic(company);
    await createAutomatic(company, { conditions: { minQuantity: 3 } });
    const fee = await createAutomatic(company, {
      effect: { kind: 'amount_surcharge', amount: 150, currency: 'EUR', per: 'order' },
    });
    const { code, id } = await createCoupon(company, { maxRedemptions: 5 });
    const reply = await buy(services, company, { codes: [code.toLowerCase()], charges: 500, expectedTotal: 7_650 });
    expect(redeemed(reply)).toEqual([spring, fee, id].toSorted());
    expect(reply.price?.summary).toMatchObject({ subtotal: 10_000, total: 7_150, currency: 'EUR' });
    expect(reply.platformTotal).toBe(7_150);
    expect(reply.codes).toEqual([{ code: code.toLowerCase(), status: 'applied', adjustmentId: id }]);
    expect(reply.claims.find(({ adjustmentId }) => adjustmentId === id)?.code).toBe(code);
    for (const claimed of [spring, fee, id]) expect(await usageOf(services, company, claimed)).toEqual(ONE);
  });

  test('without lines redeems the named adjustments, and has no price', async () => {
    const company = services.newCompany();
    await createAutomatic(company);
    const { code, id } = await createCoupon(company);
    const reply = await buy(services, company, { lines: [], codes: [code] });
    expect([redeemed(reply), reply.price, reply.platformTotal]).toEqual([[id], undefined, undefined]);
  });

  test('with stated prices is charged at those, and returns the cost at list prices', async () => {
    const company = services.newCompany();
    const spring = await createAutomatic(company);
    const reply = await buy(services, company, { lines: [aLine({ statedPrice: 3_000 })], expectedTotal: 5_400 });
    expect([reply.price?.summary.total, reply.platformTotal]).toEqual([5_400, 9_000]);
    expect(redeemed(reply)).toEqual([spring]);
  });

  test('does not claim a code that lost against a better one, and says why', async () => {
    const company = services.newCompany();
    const better = await createCoupon(company);
    const worse = await createCoupon(company, {}, { effect: { kind: 'percentage_off', percent: 5 } });
    const reply = await buy(services, company, { codes: [worse.code, better.code] });
    expect(redeemed(reply)).toEqual([better.id]);
    expect(reply.codes).toMatchObject([
      { code: worse.code, status: 'dropped', reason: 'replaced-within-category', adjustmentId: worse.id },
      { code: better.code, status: 'applied' },
    ]);
    expect(await usageOf(services, company, worse.id)).toEqual(NOTHING);
  });

  test('claims only the active one of several adjustments with a code', async () => {
    const company = services.newCompany();
    const code = newCode();
    const conditions = { code, startsAt: new Date(Date.now() - 86_400_000).toISOString() };
    const scheduled = await createAutomatic(company, { status: 'scheduled', conditions });
    const active = await createAutomatic(company, { conditions: { code } });
    const reply = await buy(services, company, { codes: [code] });
    expect([redeemed(reply), reply.price?.summary.total]).toEqual([[active], 9_000]);
    expect(await refusalOf(services, company, { adjustmentIds: [scheduled] })).toMatchObject({
      code: 'ADJUSTMENT_NOT_APPLICABLE',
      details: [{ path: 'order.items', adjustmentId: scheduled, reason: 'code-not-presented' }],
    });
  });

  test('is refused with the code that no active adjustment holds, and claims nothing', async () => {
    const company = services.newCompany();
    const spring = await createAutomatic(company);
    expect(await refusalOf(services, company, { codes: ['NOBODY'] })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'order.coupons', message: expect.stringContaining('NOBODY') }],
    });
    expect(await usageOf(services, company, spring)).toEqual(NOTHING);
  });

  test('at an unexpected total is refused with both totals, and claims nothing', async () => {
    const company = services.newCompany();
    const spring = await createAutomatic(company);
    const { code, id } = await createCoupon(company);
    expect(await refusalOf(services, company, { codes: [code], charges: 100, expectedTotal: 7_000 })).toMatchObject({
      code: 'PRICE_CHANGED',
      message:
        'The order now costs 7100, not 7000 as expectedTotal says (minor units of EUR). Show the buyer the new total.',
      details: [
        { path: 'order.expectedTotal', expectedTotal: 7_000, total: 7_100, currency: 'EUR' },
        ...[
          { path: 'order.items', adjustmentId: spring, total: -1_000 },
          { path: 'order.coupons', adjustmentId: id, code, total: -2_000 },
          { path: 'order.items', offeringId: 'off_1', quantity: 2, unitPrice: 5_000 },
        ].map((detail) => expect.objectContaining(detail)),
      ],
    });
    expect(await usageOf(services, company, spring)).toEqual(NOTHING);
    expect(await usageOf(services, company, id)).toEqual(NOTHING);
  });
});

/** What an evaluation of the same cart says about `code`, with the current time left out of the sentence. */
async function evaluated(
  company: Company,
  { lines = [aLine()], cartContext = {}, codes = [] }: Partial<PurchaseRequest>,
) {
  const amount = lines.reduce((sum, { offering, quantity }) => sum + offering.price.amount * quantity, 0);
  const orderTotal = { amount, currency: lines[0]?.offering.price.currency ?? 'EUR' };
  const [cart] = await evaluateCarts(services, company, [
    { lines, cartContext: { ...cartContext, codes, orderTotal } },
  ]);
  if (cart === undefined || !('evaluation' in cart)) throw new Error(`was not priced: ${JSON.stringify(cart)}`);
  return cart.evaluation;
}

const withoutTime = (detail = '') => detail.replace(/it is .*Z/, 'it is now');

describe('a code that does not count is refused with the reason that an evaluation gives', () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const customer = { cartContext: { customerId: 'c1' } };
  test.each<[string, Record<string, unknown>, Partial<PurchaseRequest>, Record<string, unknown>?]>([
    ['target-mismatch', {}, {}, { targets: [{ eventId: 'evt_other' }] }],
    ['not-started', { startsAt: tomorrow }, {}],
    ['ended', { endsAt: yesterday }, {}],
    ['quantity-below-minimum', { minQuantity: 3 }, {}],
    ['quantity-above-maximum', { maxQuantity: 1 }, {}],
    ['order-total-below-minimum', { minOrderTotal: { amount: 10_001, currency: 'EUR' } }, {}],
    ['order-total-above-maximum', { maxOrderTotal: { amount: 9_999, currency: 'EUR' } }, {}],
    ['segment-mismatch', { customerSegments: ['vip'] }, { cartContext: { customerSegment: 'staff' } }],
    ['channel-mismatch', { channelIds: ['web'] }, { cartContext: { channelId: 'app' } }],
    ['tag-mismatch', { tags: ['seated'] }, {}],
    ['currency-mismatch', { minOrderTotal: { amount: 1, currency: 'USD' } }, {}],
    ['customer-missing', { maxRedemptionsPerCustomer: 1 }, {}],
    ['redemption-limit-reached', { maxRedemptions: 1 }, customer],
    ['customer-redemption-limit-reached', { maxRedemptionsPerCustomer: 1 }, customer],
  ])('%s', async (reason, conditions, request, changes) => {
    const company = services.newCompany();
    const spring = await createAutomatic(company);
    const { code, id } = await createCoupon(company, conditions, changes);
    if (reason.endsWith('limit-reached')) await buy(services, company, { codes: [code], ...request });
    const claimed = await usageOf(services, company, spring);
    const [told] = (await evaluated(company, { codes: [code], ...request })).codes;
    expect(told).toMatchObject({ status: 'dropped', reason });
    const refusal = await refusalOf(services, company, { codes: [code], ...request });
    expect(refusal).toMatchObject({
      code: reason.endsWith('limit-reached') ? 'REDEMPTION_LIMIT_REACHED' : 'ADJUSTMENT_NOT_APPLICABLE',
      details: [{ path: 'order.coupons', reason, code, adjustmentId: id }],
    });
    const [detail] = (refusal as PlatformError).details ?? [];
    expect(withoutTime(detail?.message)).toBe(withoutTime(told?.detail));
    expect(await usageOf(services, company, spring)).toEqual(claimed);
  });
});

describe('an adjustment that the order names', () => {
  test('counts without its code, and is claimed', async () => {
    const company = services.newCompany();
    const { id } = await createCoupon(company);
    const reply = await buy(services, company, { adjustmentIds: [id], expectedTotal: 8_000 });
    expect([redeemed(reply), reply.codes]).toEqual([[id], []]);
  });

  test.each([
    ['target-mismatch', {}, { targets: [{ eventId: 'evt_other' }] }],
    ['segment-mismatch', { customerSegments: ['vip'] }, {}],
  ])('is refused when it does not count: %s', async (reason, conditions, changes) => {
    const company = services.newCompany();
    const { id } = await createCoupon(company, conditions, changes);
    expect(await refusalOf(services, company, { adjustmentIds: [id] })).toMatchObject({
      code: 'ADJUSTMENT_NOT_APPLICABLE',
      details: [{ path: 'order.items', reason, adjustmentId: id }],
    });
  });

  test('is not claimed if it lost, and refused if it is not active', async () => {
    const company = services.newCompany();
    const better = await createCoupon(company);
    const worse = await createCoupon(company, {}, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(redeemed(await buy(services, company, { adjustmentIds: [worse.id, better.id] }))).toEqual([better.id]);
    await company.pricing.delete(`/pricing/adjustments/${worse.id}`);
    expect(await refusalOf(services, company, { adjustmentIds: [worse.id] })).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'order.items', message: expect.stringContaining(worse.id) }],
    });
  });
});

test('an order that cannot be priced is refused, naming its items', async () => {
  const company = services.newCompany();
  await createAutomatic(company, { effect: { kind: 'percentage_surcharge', percent: 100 } });
  const offering = (currency: string, amount = 5_000) => ({ id: 'o', eventId: 'e', price: { amount, currency } });
  const lines = [aLine(), aLine({ offering: offering('USD') })];
  expect(await refusalOf(services, company, { lines })).toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'order.items must be of one currency, not EUR, USD.',
  });
  const charges = Number.MAX_SAFE_INTEGER;
  expect(await refusalOf(services, company, { charges })).toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'order.items would exceed the maximum total; send fewer at a time.',
    details: [{ path: 'order.items' }],
  });
});
