import { HeldClaims } from '@event-commerce/claims';
import type { Relay } from '@event-commerce/outbox';
import { type Caller, createLogger, fairTurns } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { CompanySnapshot } from '../src/snapshot/domain/snapshot.ts';
import { toRecord } from '../src/adjustments/adjustment-record.ts';
import type { UsageDocument } from '../src/models.ts';
import { redemptionPools } from '../src/redemptions/redemption-pools.ts';
import { createOrderRedemptions } from '../src/redemptions/order-redemptions.ts';
import { purchaser } from '../src/purchase/purchase.ts';
import { aLine, buy, createAutomatic, createCoupon, ONE, redeem, redeemed, refusalOf, usageOf } from './purchases.ts';

const services = await sharedServices();

const at = (amount: number) => {
  const line = aLine();
  return aLine({ offering: { ...line.offering, price: { amount, currency: 'EUR' } }, quantity: 1 });
};
const ONCE = { maxRedemptions: 1 };

/** A code that is fully redeemed. */
async function exhausted(company: Company, changes: Record<string, unknown> = {}): Promise<string> {
  const { code } = await createCoupon(company, ONCE, changes);
  await buy(services, company, { codes: [code] });
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
    const company = services.newCompany();
    const code = await exhausted(company, changes);
    if (other !== undefined) await createAutomatic(company, other);
    expect(await refusalOf(services, company, { lines: [at(amount)], codes: [code] })).toMatchObject({
      code: 'REDEMPTION_LIMIT_REACHED',
      details: [{ reason: 'redemption-limit-reached', code }],
    });
  });
});

describe('a cap', () => {
  test('of an automatic adjustment leaves it out once it is full, and refuses a buyer who expects it', async () => {
    const company = services.newCompany();
    const first = await createAutomatic(company, { conditions: { maxRedemptions: 1 } });
    const always = await createAutomatic(company, { effect: { kind: 'percentage_off', percent: 5 } });
    await redeem(company, first, { orderId: 'o-1' });
    const refusal = await refusalOf(services, company, { expectedTotal: 8_500 });
    expect(refusal).toMatchObject({
      code: 'PRICE_CHANGED',
      details: [
        { expectedTotal: 8_500, total: 9_500 },
        { adjustmentId: always, total: -500 },
        { offeringId: 'off_1', unitPrice: 5_000 },
        { adjustmentId: first, reason: 'redemption-limit-reached' },
      ],
    });
    for (const expectedTotal of [9_500, undefined]) {
      const reply = await buy(services, company, expectedTotal === undefined ? {} : { expectedTotal });
      expect([redeemed(reply), reply.price?.summary.total]).toEqual([[always], 9_500]);
    }
    expect(await usageOf(services, company, always)).toEqual({ confirmed: 0, claimed: 2, pending: 2 });
  });

  test('that is raised has room for the next purchase', async () => {
    const company = services.newCompany();
    const id = await createAutomatic(company, { conditions: { maxRedemptions: 1 } });
    await redeem(company, id, { orderId: 'o-1' });
    for (const total of [10_000, 10_000]) expect((await buy(services, company)).price?.summary.total).toBe(total);
    await company.pricing.replica(1).patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptions: 2 } });
    expect((await buy(services, company)).price?.summary.total).toBe(9_000);
  });

  test('that regains room has it for the next purchase', async () => {
    const company = services.newCompany();
    const id = await createAutomatic(company, { conditions: { maxRedemptions: 1 } });
    const { redemption } = (await redeem(company, id, { orderId: 'o-1' })).body.data;
    expect((await buy(services, company)).price?.summary.total).toBe(10_000);
    await company.pricing.delete(`/pricing/adjustments/${id}/redemptions/${redemption.id}`);
    expect(redeemed(await buy(services, company))).toEqual([id]);
  });

  test('per customer counts each customer separately', async () => {
    const company = services.newCompany();
    const id = await createAutomatic(company, { conditions: { maxRedemptionsPerCustomer: 1 } });
    const totalFor = async (customerId?: string) =>
      (await buy(services, company, { cartContext: customerId === undefined ? {} : { customerId } })).price?.summary
        .total;
    expect(await totalFor()).toBe(10_000);
    await redeem(company, id, { orderId: 'o-1', customerId: 'c1' });
    expect([await totalFor('c1'), await totalFor('c2'), await totalFor('c1')]).toEqual([10_000, 9_000, 10_000]);
    expect(await usageOf(services, company, id)).toEqual({ confirmed: 1, claimed: 2, pending: 1 });
  });

  test('gives a reopened order its place before anyone else can have it', async () => {
    const company = services.newCompany();
    const { code, id } = await createCoupon(company, { maxRedemptions: 1 });
    const { orderId, claims: former } = await buy(services, company, { codes: [code] });
    const reopened = { codes: [code], orderId, revision: 1, former };
    const { claims } = await buy(services, company, reopened);
    expect([claims.length, claims[0]?.redemptionId === former[0]?.redemptionId]).toEqual([1, false]);
    expect(await usageOf(services, company, id)).toEqual(ONE);
    // A copy of the order gets the same.
    expect((await buy(services, company, reopened)).claims).toEqual(claims);
    expect(await usageOf(services, company, id)).toEqual(ONE);
  });
});

test('a fully redeemed automatic adjustment does not displace another one of its category', async () => {
  const company = services.newCompany();
  const inCategory = { category: 'fees', stacking: 'replace-within-category' };
  const effect = { kind: 'fixed_price', amount: 5_000, currency: 'EUR' };
  const capped = await createAutomatic(company, { ...inCategory, effect, conditions: ONCE });
  await redeem(company, capped, { orderId: 'o-1' });
  const fee = await createAutomatic(company, {
    ...inCategory,
    effect: { kind: 'amount_surcharge', amount: 500, currency: 'EUR' },
  });
  const reply = await buy(services, company, { lines: [at(4_000)] });
  expect([redeemed(reply), reply.price?.summary.total]).toEqual([[fee], 4_500]);
});

test('the cost of an order at list prices is not reduced by fully redeemed adjustments', async () => {
  const company = services.newCompany();
  const id = await createAutomatic(company, { effect: { kind: 'percentage_off', percent: 50 }, conditions: ONCE });
  await redeem(company, id, { orderId: 'o-1' });
  const reply = await buy(services, company, { lines: [{ ...at(5_000), statedPrice: 0 }] });
  expect([reply.price?.summary.total, reply.platformTotal]).toEqual([0, 5_000]);
});

test('a purchase that claims every capped adjustment reads no counters', async () => {
  const company = services.newCompany();
  await createAutomatic(company, { conditions: { maxRedemptions: 5 } });
  await createAutomatic(company, { conditions: { maxRedemptionsPerCustomer: 5 } });
  const tenant = liveTenant(company.companyId);
  const found = await services.models.pricing.adjustments.find({ companyId: tenant }).lean();
  const snapshot = new CompanySnapshot(found.map(toRecord));
  const relay: Relay<UsageDocument> = { publish: () => {}, stop: async () => {} };
  const unread = async () => await Promise.reject(new Error('was read'));
  const pools = redemptionPools(services.models.pricing, relay, () => new Date());
  const logger = createLogger({ service: 'test', level: 'silent' });
  const purchase = purchaser({
    snapshots: { get: () => snapshot, fresh: unread },
    pools: { ...pools, countsOf: unread, claimedBy: unread, pendingOf: unread },
    orderRedemptions: createOrderRedemptions({ pools, logger, settleOrder: unread, waitingOrders: unread }),
    redemptions: { findManual: unread },
    events: { find: unread },
    codes: { find: unread },
    inFairTurn: fairTurns(),
    clock: () => new Date(),
    defaultCurrency: 'EUR',
  });
  const cartContext = { customerId: 'c1' };
  const order = { orderId: 'ord_1', lines: [aLine()], cartContext, codes: [], adjustmentIds: [], charges: 0 };
  const caller = { tenant, keyId: 'key_1' } as Caller;
  expect((await purchase({ caller, mayOmitCodes: false }, order, new HeldClaims())).claims).toHaveLength(2);
});
