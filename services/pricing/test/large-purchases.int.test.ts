import { ARRAY_LENGTH_MAX } from '@event-commerce/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy, createCoupon, NOTHING, refusalOf } from './buying.ts';
import { type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2 });
});
afterAll(async () => pricing?.stop());

test('an order redeems as many adjustments as can be cancelled and claimed again in one request, and no more', async () => {
  const company = pricing.newCompany();
  const { code } = await createCoupon(company);
  const adjustmentIds = await Promise.all(
    Array.from({ length: ARRAY_LENGTH_MAX }, async () => (await createCoupon(company)).id),
  );
  const request = { lines: [], adjustmentIds };
  expect(await refusalOf(pricing, company, { ...request, codes: [code] })).toMatchObject({
    code: 'VALIDATION_FAILED',
    message: 'order.items would redeem 501 adjustments, and one order redeems at most 500.',
  });
  const { orderId, claims: former } = await buy(pricing, company, request);
  const { claims } = await buy(pricing, company, { ...request, orderId, former });
  expect(claims).toHaveLength(ARRAY_LENGTH_MAX);
  await pricing.cancel(company.companyId, { orderId, claims });
  for (const id of adjustmentIds.slice(-3)) expect(await pricing.usage(company, id)).toEqual(NOTHING);
});

/** More than are claimed one by one: the others are in two parts. */
const MANY = 75;

async function manyCapped(company: Company) {
  const coupons = await Promise.all(
    Array.from({ length: MANY }, async () =>
      createCoupon(company, { maxRedemptions: 1, maxRedemptionsPerCustomer: 1 }),
    ),
  );
  const codes = coupons.map(({ code }) => code);
  return { coupons, request: { lines: [], codes, cartContext: { customerId: 'cus_1' } } };
}

test('an order of many capped codes redeems all of them, and one that lacks a single code redeems none', async () => {
  const company = pricing.newCompany();
  const { coupons, request } = await manyCapped(company);
  const [last = ''] = request.codes.slice(-1);
  const other = await buy(pricing, company, { ...request, codes: [last] });
  expect(await refusalOf(pricing, company, request)).toMatchObject({
    code: 'REDEMPTION_LIMIT_REACHED',
    message: expect.stringContaining(last),
  });
  for (const { id } of coupons.slice(0, -1)) expect(await pricing.usage(company, id)).toEqual(NOTHING);
  await pricing.cancel(company.companyId, other);
  const all = await buy(pricing, company, request);
  expect(all.claims).toHaveLength(MANY);
  await pricing.cancel(company.companyId, all);
  for (const { id } of coupons) expect(await pricing.usage(company, id)).toEqual(NOTHING);
});

test('of orders that want the same many capped codes at once, one at most redeems them, and then all of them', async () => {
  const company = pricing.newCompany();
  const { request } = await manyCapped(company);
  const replies = await Promise.allSettled(
    Array.from({ length: 3 }, async (_, n) => buy(pricing, company, { ...request, orderId: `ord_${n}` })),
  );
  const bought = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  expect(bought.length).toBeLessThanOrEqual(1);
  for (const { claims } of bought) expect(claims).toHaveLength(MANY);
});
