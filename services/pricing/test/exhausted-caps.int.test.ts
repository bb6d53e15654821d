import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buy, create, createCoupon, redeemed, refusalOf } from './buying.ts';
import { aLine, type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 1 });
});
afterAll(async () => pricing?.stop());

const at = (amount: number) => {
  const line = aLine();
  return aLine({ offering: { ...line.offering, price: { amount, currency: 'EUR' } }, quantity: 1 });
};
const ONCE = { maxRedemptions: 1 };

/** A code that was redeemed as often as it may be. */
async function exhausted(company: Company, changes: Record<string, unknown> = {}): Promise<string> {
  const { code } = await createCoupon(company, ONCE, changes);
  await buy(pricing, company, { codes: [code] });
  return code;
}

describe('a code that ran out is refused', () => {
  const fixedPrice = { effect: { kind: 'fixed_price', amount: 4_000, currency: 'EUR' } };
  test.each<[string, number, Record<string, unknown>, Record<string, unknown> | undefined]>([
    ['the ticket is free', 0, {}, undefined],
    ['the ticket costs its fixed price', 4_000, fixedPrice, undefined],
    ['another one takes everything off', 5_000, {}, { effect: { kind: 'percentage_off', percent: 100 } }],
    [
      'it would lose against a better one',
      5_000,
      {},
      {
        category: 'discount-coupon',
        stacking: 'replace-within-category',
        effect: { kind: 'percentage_off', percent: 50 },
      },
    ],
    ['an exclusive one excludes it', 5_000, {}, { stacking: 'exclusive' }],
  ])('although %s', async (_why, amount, changes, other) => {
    const company = pricing.newCompany();
    const code = await exhausted(company, changes);
    if (other !== undefined) await create(company, other);
    expect(await refusalOf(pricing, company, { lines: [at(amount)], codes: [code] })).toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
      details: [{ reason: 'redemption-limit-reached', code }],
    });
  });
});

test('an automatic adjustment that ran out does not keep another one of its category from the price', async () => {
  const company = pricing.newCompany();
  const inCategory = { category: 'fees', stacking: 'replace-within-category' };
  const effect = { kind: 'fixed_price', amount: 5_000, currency: 'EUR' };
  const capped = await create(company, { ...inCategory, effect, conditions: ONCE });
  expect(redeemed(await buy(pricing, company, { lines: [at(6_000)] }))).toEqual([capped]);
  const fee = await create(company, {
    ...inCategory,
    effect: { kind: 'amount_surcharge', amount: 500, currency: 'EUR' },
  });
  const reply = await buy(pricing, company, { lines: [at(4_000)] });
  expect([redeemed(reply), reply.price?.summary.total]).toEqual([[fee], 4_500]);
});

test('what an order would cost at list prices is not reduced by what ran out', async () => {
  const company = pricing.newCompany();
  await create(company, { effect: { kind: 'percentage_off', percent: 50 }, conditions: ONCE });
  await buy(pricing, company);
  const reply = await buy(pricing, company, { lines: [{ ...at(5_000), statedPrice: 0 }] });
  expect([reply.price?.summary.total, reply.platformTotal]).toEqual([0, 5_000]);
});
