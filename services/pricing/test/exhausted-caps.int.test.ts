import type { Relay } from '@event-commerce/outbox';
import { type Caller, createLogger, fairTurns } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CompanySnapshot } from '../src/domain/snapshot.ts';
import { toRecord } from '../src/store/adjustment-record.ts';
import type { UsageDocument } from '../src/store/models.ts';
import { redemptionPools } from '../src/store/redemption-pools.ts';
import { createOrderRedemptions } from '../src/use-cases/order-redemptions.ts';
import { purchaser } from '../src/use-cases/purchase.ts';
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

test('a purchase that claims all that is capped reads no counters', async () => {
  const company = pricing.newCompany();
  await create(company, { conditions: { maxRedemptions: 5 } });
  await create(company, { conditions: { maxRedemptionsPerCustomer: 5 } });
  const tenant = liveTenant(company.companyId);
  const found = await pricing.models.adjustments.find({ companyId: tenant }).lean();
  const snapshot = new CompanySnapshot(found.map(toRecord));
  const relay: Relay<UsageDocument> = { publish: () => {}, stop: async () => {} };
  const unread = async () => await Promise.reject(new Error('was read'));
  const pools = redemptionPools(pricing.models, relay, () => new Date());
  const logger = createLogger({ service: 'test', level: 'silent' });
  const purchase = purchaser({
    snapshots: { get: () => snapshot, fresh: unread },
    pools: { ...pools, countsOf: unread, claimedBy: unread, pendingOf: unread },
    orderRedemptions: createOrderRedemptions({ pools, logger, settleOrder: unread }),
    redemptions: { findByHand: unread },
    events: { find: unread },
    inFairTurn: fairTurns(),
    clock: () => new Date(),
    defaultCurrency: 'EUR',
  });
  const cartContext = { customerId: 'c1' };
  const order = { orderId: 'ord_1', lines: [aLine()], cartContext, codes: [], adjustmentIds: [], charges: 0 };
  const caller = { tenant, keyId: 'key_1' } as Caller;
  expect((await purchase({ caller, mayOmitCodes: false }, order)).claims).toHaveLength(2);
});
