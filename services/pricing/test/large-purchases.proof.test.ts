import { ARRAY_LENGTH_MAX } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { buy, cancel, createCoupon, NOTHING, refusalOf, usageOf } from './purchases.ts';

const services = await sharedServices();

test('an order redeems at most as many adjustments as can be released and claimed again in one request', async () => {
  const company = services.newCompany();
  const { code } = await createCoupon(company);
  const adjustmentIds = await Promise.all(
    Array.from({ length: ARRAY_LENGTH_MAX }, async () => (await createCoupon(company)).id),
  );
  const request = { lines: [], adjustmentIds };
  expect(await refusalOf(services, company, { ...request, codes: [code] })).toMatchObject({
    code: 'VALIDATION_FAILED',
    message:
      'order.items would redeem 501 adjustments, and one order can redeem at most 500; split it into several orders.',
  });
  const { orderId, claims: former } = await buy(services, company, request);
  const { claims } = await buy(services, company, { ...request, orderId, former });
  expect(claims).toHaveLength(ARRAY_LENGTH_MAX);
  await cancel(services, company, { orderId, claims });
  for (const id of adjustmentIds.slice(-3)) expect(await usageOf(services, company, id)).toEqual(NOTHING);
}, 240_000);

/** More than are claimed one by one: the rest are claimed in two parts. */
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

test('an order with many capped codes redeems all of them, or none if a single one is refused', async () => {
  const company = services.newCompany();
  const { coupons, request } = await manyCapped(company);
  const [last = ''] = request.codes.slice(-1);
  const other = await buy(services, company, { ...request, codes: [last] });
  expect(await refusalOf(services, company, request)).toMatchObject({
    code: 'REDEMPTION_LIMIT_REACHED',
    message: expect.stringContaining(last),
  });
  for (const { id } of coupons.slice(0, -1)) expect(await usageOf(services, company, id)).toEqual(NOTHING);
  await cancel(services, company, other);
  const all = await buy(services, company, request);
  expect(all.claims).toHaveLength(MANY);
  await cancel(services, company, all);
  for (const { id } of coupons) expect(await usageOf(services, company, id)).toEqual(NOTHING);
});

test('at most one of several concurrent orders for the same many capped codes redeems them, and then all of them', async () => {
  const company = services.newCompany();
  const { request } = await manyCapped(company);
  const replies = await Promise.allSettled(
    Array.from({ length: 3 }, async (_, n) => buy(services, company, { ...request, orderId: `ord_${n}` })),
  );
  const bought = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  expect(bought.length).toBeLessThanOrEqual(1);
  for (const { claims } of bought) expect(claims).toHaveLength(MANY);
});
