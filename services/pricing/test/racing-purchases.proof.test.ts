import { PlatformError, type PurchaseRequest } from '@event-commerce/contracts';
import { newId } from '@event-commerce/service-kit';
import { hostileMembers } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { buy, createAutomatic, createCoupon, NOTHING, ONE, redeemed, usageOf } from './purchases.ts';

const services = await sharedServices();

describe('100 purchases at once', () => {
  /** The totals and the codes of refusals of 100 purchases, each with how often it occurred. */
  const outcomes = async (company: Company, request: Partial<PurchaseRequest>) => {
    const bought = await Promise.all(
      Array.from({ length: 100 }, async (_, n) =>
        buy(services, company, { cartContext: { customerId: `c${n}` }, ...request }).then(
          ({ price }) => price?.summary.total ?? 0,
          (error: unknown) => (error instanceof PlatformError ? error.code : String(error)),
        ),
      ),
    );
    return Object.fromEntries([...Map.groupBy(bought, (one) => one)].map(([one, { length }]) => [one, length]));
  };

  test('redeem a code with a cap of 20 exactly 20 times, and the refused ones claim nothing', async () => {
    const company = services.newCompany();
    const automatic = [
      await createAutomatic(company, { conditions: { maxRedemptionsPerCustomer: 1 } }),
      await createAutomatic(company, {
        effect: { kind: 'amount_surcharge', amount: 100, currency: 'EUR', per: 'order' },
      }),
      await createAutomatic(company, {
        conditions: { maxRedemptions: 75 },
        effect: { kind: 'percentage_off', percent: 1 },
      }),
    ];
    const { code, id } = await createCoupon(company, { maxRedemptions: 20 });
    expect(await outcomes(company, { codes: [code] })).toEqual({ 7000: 20, REDEMPTION_LIMIT_REACHED: 80 });
    for (const claimed of [...automatic, id]) {
      expect([claimed, await usageOf(services, company, claimed)]).toEqual([
        claimed,
        { confirmed: 0, claimed: 20, pending: 20 },
      ]);
    }
  });

  test('that are refused for a fully redeemed code leave scarcer codes to others', async () => {
    const company = services.newCompany();
    const scarcer = await createAutomatic(company, { conditions: { maxRedemptions: 75 } });
    const { code } = await createCoupon(company, { maxRedemptions: 100 });
    const own = { cartContext: { customerId: 'c1' } };
    await Promise.all(
      Array.from({ length: 100 }, async () => buy(services, company, { lines: [], codes: [code], ...own })),
    );
    expect(await outcomes(company, { codes: [code] })).toEqual({ REDEMPTION_LIMIT_REACHED: 100 });
    expect(await usageOf(services, company, scarcer)).toEqual(NOTHING);
  });

  test('get an automatic adjustment with a cap of 20 exactly 20 times, and all others buy at the price without it if they expect that', async () => {
    const company = services.newCompany();
    const capped = await createAutomatic(company, { conditions: { maxRedemptions: 20 } });
    const always = await createAutomatic(company, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(await outcomes(company, {})).toEqual({ 8500: 20, REDEMPTION_LIMIT_REACHED: 80 });
    expect(await outcomes(company, { expectedTotal: 9_500 })).toEqual({ 9500: 100 });
    expect(await usageOf(services, company, capped)).toEqual({ confirmed: 0, claimed: 20, pending: 20 });
    expect(await usageOf(services, company, always)).toEqual({ confirmed: 0, claimed: 120, pending: 120 });
  });

  test('succeed exactly 20 times if only 20 can have the price that all expect', async () => {
    const company = services.newCompany();
    const capped = await createAutomatic(company, { conditions: { maxRedemptions: 20 } });
    const always = await createAutomatic(company, { effect: { kind: 'percentage_off', percent: 5 } });
    expect(await outcomes(company, { expectedTotal: 8_500 })).toEqual({ 8500: 20, PRICE_CHANGED: 80 });
    for (const id of [capped, always]) {
      expect(await usageOf(services, company, id)).toEqual({ confirmed: 0, claimed: 20, pending: 20 });
    }
  });
});

describe('ten copies of an order at once', () => {
  test.each([
    ['a code', true],
    ['an automatic adjustment', false],
  ])('share the last place of %s, the order id and the price', async (_what, byCode) => {
    const company = services.newCompany();
    // Full for everyone: copies that find this out price again, while other copies hold the last places of the rest.
    const gone = await createAutomatic(company, {
      conditions: { maxRedemptions: 1 },
      effect: { kind: 'percentage_off', percent: 1 },
    });
    await buy(services, company);
    const { code, id } = byCode
      ? await createCoupon(company, { maxRedemptions: 1 })
      : { code: undefined, id: await createAutomatic(company, { conditions: { maxRedemptions: 1 } }) };
    const always = await createAutomatic(company, { effect: { kind: 'percentage_off', percent: 5 } });
    const copy = {
      orderId: newId('ord'),
      codes: code === undefined ? [] : [code],
      expectedTotal: byCode ? 7_500 : 8_500,
    };
    const replies = await Promise.all(Array.from({ length: 10 }, async () => buy(services, company, copy)));
    expect(replies.map(redeemed)).toEqual(replies.map(() => [id, always].toSorted()));
    // Each copy computed the price at a different time.
    const same = replies.map(({ basis, ...reply }) => JSON.stringify({ ...reply, basis: { ...basis, at: '' } }));
    expect(new Set(same).size).toBe(1);
    for (const claimed of [gone, id, always]) expect(await usageOf(services, company, claimed)).toEqual(ONE);
  });
});

test.each(
  Object.entries({ ...hostileMembers(), 'a lone surrogate': '\ud800', 'a NUL': 'a\u0000b' }).filter(
    ([what]) => !what.startsWith('no end') && !what.startsWith('more'),
  ),
)('purchases at once with others that hold %s are as good as without them', async (_what, member: any) => {
  const company = services.newCompany();
  const { code, id } = await createCoupon(company, { maxRedemptions: 100 });
  const bad = ['orderId', 'former', 'lines', 'codes', 'adjustmentIds', 'charges'].map((name) => ({
    codes: [code],
    [name]: member,
  }));
  const hostile = [...bad, { cartContext: { customerId: member } }].map(async (request) =>
    buy(services, company, { codes: [code], ...request }).then(
      ({ claims }) => claims.length,
      () => 0,
    ),
  );
  const good = await Promise.all(Array.from({ length: 20 }, async () => buy(services, company, { codes: [code] })));
  expect(good.map(redeemed)).toEqual(good.map(() => [id]));
  const taken = (await Promise.all(hostile)).reduce((sum, claims) => sum + claims, 0);
  expect((await usageOf(services, company, id)).claimed).toBe(20 + taken);
});
