import { randomUUID } from 'node:crypto';
import { PlatformError, type PurchaseRequest } from '@event-commerce/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Company, type PricingReplicas, startPricingReplicas } from './harness.ts';
import { buy, create, createCoupon, NOTHING, ONE, redeemed, refusalOf } from './buying.ts';

let pricing: PricingReplicas;
beforeAll(async () => {
  pricing = await startPricingReplicas({ replicas: 2 });
});
afterAll(async () => pricing?.stop());

describe('a cap', () => {
  test('of an automatic adjustment that ran out leaves it out, unless the buyer expects it', async () => {
    const company = pricing.newCompany();
    const first = await create(company, { conditions: { maxRedemptions: 1 } });
    const always = await create(company, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(redeemed(await buy(pricing, company, { expectedTotal: 8_500 }))).toEqual([first, always].toSorted());
    const refusal = await refusalOf(pricing, company, { expectedTotal: 8_500 });
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
      const reply = await buy(pricing, company, expectedTotal === undefined ? {} : { expectedTotal });
      expect([redeemed(reply), reply.price?.summary.total]).toEqual([[always], 9_500]);
    }
    expect(await pricing.usage(company, first)).toEqual(ONE);
    expect(await pricing.usage(company, always)).toEqual({ confirmed: 0, claimed: 3, pending: 3 });
  });

  test('that is raised has room for the next purchase', async () => {
    const company = pricing.newCompany();
    const id = await create(company, { conditions: { maxRedemptions: 1 } });
    for (const total of [9_000, 10_000, 10_000]) expect((await buy(pricing, company)).price?.summary.total).toBe(total);
    await company.api(1).patch(`/pricing/adjustments/${id}`, { conditions: { maxRedemptions: 2 } });
    for (const total of [9_000, 10_000]) expect((await buy(pricing, company)).price?.summary.total).toBe(total);
  });

  test('that gets room again has it for the next purchase', async () => {
    const company = pricing.newCompany();
    const id = await create(company, { conditions: { maxRedemptions: 1 } });
    const { orderId, claims } = await buy(pricing, company);
    expect((await buy(pricing, company)).price?.summary.total).toBe(10_000);
    await pricing.cancel(company.companyId, { orderId, claims });
    expect(redeemed(await buy(pricing, company))).toEqual([id]);
  });

  test('per customer counts each customer alone', async () => {
    const company = pricing.newCompany();
    const id = await create(company, { conditions: { maxRedemptionsPerCustomer: 1 } });
    const totalFor = async (customerId?: string) =>
      (await buy(pricing, company, { cartContext: customerId === undefined ? {} : { customerId } })).price?.summary
        .total;
    expect(await totalFor()).toBe(10_000);
    for (const customerId of ['c1', 'c2']) {
      expect([await totalFor(customerId), await totalFor(customerId), await totalFor(customerId)]).toEqual([
        9_000, 10_000, 10_000,
      ]);
    }
    expect(await pricing.usage(company, id)).toEqual({ confirmed: 0, claimed: 2, pending: 2 });
  });

  test('is given to a reopened order before anybody else can have it', async () => {
    const company = pricing.newCompany();
    const { code, id } = await createCoupon(company, { maxRedemptions: 1 });
    const { orderId, claims: former } = await buy(pricing, company, { codes: [code], key: 'first' });
    const reopened = { codes: [code], orderId, key: 'second', reopening: 1, former };
    const { claims } = await buy(pricing, company, reopened);
    expect([claims.length, claims[0]?.redemptionId === former[0]?.redemptionId]).toEqual([1, false]);
    expect(await pricing.usage(company, id)).toEqual(ONE);
    // A copy of it gets the same.
    expect((await buy(pricing, company, reopened)).claims).toEqual(claims);
    expect(await pricing.usage(company, id)).toEqual(ONE);
  });
});

describe('100 purchases at once', () => {
  /** The totals and the codes of refusals of 100 purchases, each with how often it occurred. */
  const outcomes = async (company: Company, request: Partial<PurchaseRequest>) => {
    const bought = await Promise.all(
      Array.from({ length: 100 }, async (_, n) =>
        buy(pricing, company, { cartContext: { customerId: `c${n}` }, ...request }).then(
          ({ price }) => price?.summary.total ?? 0,
          (error: unknown) => (error instanceof PlatformError ? error.code : String(error)),
        ),
      ),
    );
    return Object.fromEntries([...Map.groupBy(bought, (one) => one)].map(([one, { length }]) => [one, length]));
  };

  test('take a code with a cap of 20 exactly 20 times, and nothing else for the others', async () => {
    const company = pricing.newCompany();
    const automatic = [
      await create(company, { conditions: { maxRedemptionsPerCustomer: 1 } }),
      await create(company, { effect: { kind: 'amount_surcharge', amount: 100, currency: 'EUR', per: 'order' } }),
      await create(company, { conditions: { maxRedemptions: 75 }, effect: { kind: 'percentage_off', percent: 1 } }),
    ];
    const { code, id } = await createCoupon(company, { maxRedemptions: 20 });
    expect(await outcomes(company, { codes: [code] })).toEqual({ 7000: 20, REDEMPTION_LIMIT_REACHED: 80 });
    for (const claimed of [...automatic, id]) {
      expect([claimed, await pricing.usage(company, claimed)]).toEqual([
        claimed,
        { confirmed: 0, claimed: 20, pending: 20 },
      ]);
    }
  });

  test('that want a code which is gone leave what is scarcer to others', async () => {
    const company = pricing.newCompany();
    const scarcer = await create(company, { conditions: { maxRedemptions: 75 } });
    const { code } = await createCoupon(company, { maxRedemptions: 100 });
    const own = { cartContext: { customerId: 'c1' } };
    await Promise.all(
      Array.from({ length: 100 }, async () => buy(pricing, company, { lines: [], codes: [code], ...own })),
    );
    expect(await outcomes(company, { codes: [code] })).toEqual({ REDEMPTION_LIMIT_REACHED: 100 });
    expect(await pricing.usage(company, scarcer)).toEqual(NOTHING);
  });

  test('get an automatic adjustment with a cap of 20 exactly 20 times, and all are bought', async () => {
    const company = pricing.newCompany();
    const capped = await create(company, { conditions: { maxRedemptions: 20 } });
    const always = await create(company, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(await outcomes(company, {})).toEqual({ 8500: 20, 9500: 80 });
    expect(await pricing.usage(company, capped)).toEqual({ confirmed: 0, claimed: 20, pending: 20 });
    expect(await pricing.usage(company, always)).toEqual({ confirmed: 0, claimed: 100, pending: 100 });
  });

  test('of which only 20 can have the price that all expect are 20', async () => {
    const company = pricing.newCompany();
    const capped = await create(company, { conditions: { maxRedemptions: 20 } });
    const always = await create(company, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(await outcomes(company, { expectedTotal: 8_500 })).toEqual({ 8500: 20, PRICE_CHANGED: 80 });
    for (const id of [capped, always]) {
      expect(await pricing.usage(company, id)).toEqual({ confirmed: 0, claimed: 20, pending: 20 });
    }
  });
});

describe('ten copies of an order at once', () => {
  test.each([
    ['a code', true],
    ['an automatic adjustment', false],
  ])('share the last place of %s, the order id and the price', async (_what, byCode) => {
    const company = pricing.newCompany();
    // Full for everybody: copies that find it so price again, while others of them hold the last place of the rest.
    const gone = await create(company, {
      conditions: { maxRedemptions: 1 },
      effect: { kind: 'percentage_off', percent: 1 },
    });
    await buy(pricing, company);
    const { code, id } = byCode
      ? await createCoupon(company, { maxRedemptions: 1 })
      : { code: undefined, id: await create(company, { conditions: { maxRedemptions: 1 } }) };
    const always = await create(company, { effect: { kind: 'percentage_off', percent: 5 } });
    const copy = {
      key: randomUUID(),
      content: 'c',
      codes: code === undefined ? [] : [code],
      expectedTotal: byCode ? 7_500 : 8_500,
    };
    const replies = await Promise.all(Array.from({ length: 10 }, async () => buy(pricing, company, copy)));
    expect(replies.map(redeemed)).toEqual(replies.map(() => [id, always].toSorted()));
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    for (const claimed of [gone, id, always]) expect(await pricing.usage(company, claimed)).toEqual(ONE);
  });

  test('with other content get nothing while the first has its claims', async () => {
    const company = pricing.newCompany();
    await create(company);
    const key = randomUUID();
    await buy(pricing, company, { key, content: 'one' });
    expect(await refusalOf(pricing, company, { key, content: 'other' })).toMatchObject({ code: 'ORDER_NUMBER_TAKEN' });
  });
});
