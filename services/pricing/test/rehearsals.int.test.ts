import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { EUR, newShop, PATIENT } from '../../commerce/test/shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const PERIOD = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };

/** A shop whose orders of one ticket kind cost 50.00, and rehearsals of them. */
async function newTheatre() {
  const shop = await newShop(services);
  const { pricing, order, ticket } = shop;
  const buy = async (quantity: number, more: object = {}) => {
    const placed = await order({ items: [{ offeringId: ticket, quantity }], ...more });
    expect([placed.status, placed.body.error]).toEqual([201, undefined]);
    return placed.body.data.order;
  };
  const rehearse = async (changes: object[], more: object = {}) => {
    const started = await pricing.post('/pricing/rehearsals', { ...PERIOD, changes, ...more });
    expect([started.status, started.body.error]).toEqual([expect.toBeOneOf([201, 202]), undefined]);
    const read = async () => (await pricing.get(`/pricing/rehearsals/${started.body.data.id}`)).body.data;
    await expect.poll(async () => (await read()).status, PATIENT).toBe('done');
    return (await read()).report;
  };
  return { ...shop, buy, rehearse };
}

describe('a rehearsal', () => {
  test('without changes says what the orders cost, to the cent', async () => {
    const { adjust, buy, commerce, rehearse } = await newTheatre();
    const { code } = await adjust({ effect: { kind: 'percentage_off', percent: 33 } });
    await adjust({
      type: 'promotion',
      conditions: { code: undefined, minQuantity: 3 },
      effect: { kind: 'amount_off', amount: 100 },
    });
    const orders = [
      await buy(1),
      await buy(3, { coupons: [code], costs: { fees: 250, tax: 77 } }),
      await buy(2, { coupons: [code] }),
      await buy(1, { expiresInSeconds: 600 }),
    ];
    const gone = await buy(5);
    await commerce.post(`/orders/${gone.id}/cancel`);
    const total = orders.reduce((sum, { costs }) => sum + costs.total, 0);
    expect(await rehearse([])).toMatchObject({
      orders: 4,
      touched: 0,
      currencies: [
        { currency: 'EUR', orders: 4, before: { revenue: total }, after: { revenue: total }, winners: { orders: 0 } },
      ],
      samples: [],
      kept: { amended: 0, stated: 0, unexplained: 0 },
    });
    expect((await rehearse([], { to: '2020-01-02T00:00:00Z' })).currencies).toEqual([]);
  });

  test('shows what a new adjustment would have cost, order by order', async () => {
    const { buy, rehearse, companyId } = await newTheatre();
    await buy(1);
    const groups = [await buy(3), await buy(4)];
    const create = {
      name: 'Friends',
      targets: [{ urn: `urn:v1:${companyId}:events:event/*` }],
      conditions: { minQuantity: 3 },
      effect: { kind: 'amount_off', amount: 500, currency: 'EUR' },
    };
    const report = await rehearse([{ create }]);
    expect(report).toMatchObject({
      orders: 3,
      touched: 2,
      currencies: [
        {
          before: { revenue: 40_000, discounts: 0 },
          after: { revenue: 36_500, discounts: 3_500 },
          winners: { orders: 2, amount: 3_500 },
          losers: { orders: 0, amount: 0 },
          refused: { orders: 0, amount: 0 },
        },
      ],
    });
    expect(report.samples).toMatchObject([
      {
        orderId: groups[1].id,
        subtotal: 20_000,
        charges: 0,
        before: { total: 20_000, modifiers: [] },
        after: { total: 18_000, modifiers: [{ name: 'Friends', total: -2_000 }] },
      },
      { orderId: groups[0].id },
    ]);
  });

  test('changes a cap, and says when it would have run out', async () => {
    const { adjust, buy, rehearse } = await newTheatre();
    const { id } = await adjust({
      type: 'promotion',
      conditions: { code: undefined, maxRedemptions: 2 },
      effect: { kind: 'amount_off', amount: 1_000 },
    });
    const orders = [];
    for (const expectedTotal of [4_000, 4_000, 5_000, 5_000]) orders.push(await buy(1, { expectedTotal }));
    const report = await rehearse([{ patch: { id, conditions: { maxRedemptions: 3 } } }]);
    expect(report.currencies).toMatchObject([{ before: { revenue: 18_000 }, after: { revenue: 17_000 } }]);
    expect(report.ranOut).toEqual([
      {
        pool: 'redemptions',
        adjustmentId: id,
        name: expect.any(String),
        before: orders[1]?.createdAt,
        after: orders[2]?.createdAt,
      },
    ]);
    const fewer = await rehearse([{ patch: { id, conditions: { maxRedemptions: 1 } } }]);
    expect(fewer.currencies).toMatchObject([{ after: { revenue: 19_000 }, losers: { orders: 1, amount: 1_000 } }]);
  });

  test('draws on a budget as orders would have', async () => {
    const { buy, companyId, pricing, rehearse } = await newTheatre();
    const budget = (
      await pricing.post('/pricing/budgets', { name: 'Summer', limit: EUR(1_500), onExhausted: 'partial' })
    ).body.data;
    for (let n = 0; n < 3; n++) await buy(2);
    const create = {
      targets: [{ urn: `urn:v1:${companyId}:events:event/*` }],
      conditions: { budgetId: budget.id },
      effect: { kind: 'percentage_off', percent: 10, per: 'order' },
    };
    const report = await rehearse([{ create }]);
    expect(report.currencies).toMatchObject([{ after: { revenue: 28_500, discounts: 1_500 }, winners: { orders: 2 } }]);
    expect(report.ranOut).toMatchObject([
      { pool: 'budget', budgetId: budget.id, name: 'Summer', after: expect.any(String) },
    ]);
    expect((await pricing.get(`/pricing/budgets/${budget.id}`)).body.data.usage).toMatchObject({ spent: 0, held: 0 });
  });

  test('without a coupon refuses the orders with its code, and leaves other orders as they are', async () => {
    const { adjust, buy, rehearse } = await newTheatre();
    const { code, id } = await adjust({ effect: { kind: 'percentage_off', percent: 10 } });
    await buy(1);
    const order = await buy(1, { coupons: [code] });
    const report = await rehearse([{ archive: { id } }]);
    expect(report).toMatchObject({
      touched: 1,
      currencies: [{ before: { revenue: 9_500 }, after: { revenue: 5_000 }, refused: { orders: 1, amount: 4_500 } }],
      samples: [{ orderId: order.id, refusal: expect.stringContaining(code) }],
    });
    expect(report.samples[0]).not.toHaveProperty('after');
    const dearer = await rehearse([{ patch: { id, conditions: { code: 'ANOTHER' }, effect: { percent: 5 } } }]);
    expect(dearer.currencies).toMatchObject([{ after: { revenue: 9_750 }, losers: { orders: 1, amount: 250 } }]);
    const late = await rehearse([{ patch: { id, conditions: { minQuantity: 2 } } }]);
    expect(late.samples).toMatchObject([{ refusal: expect.stringContaining('2') }]);
  });

  test('takes issued codes, tags and venues into account', async () => {
    const { buy, commerce, events, eventId, offer, order, pricing, rehearse } = await newTheatre();
    const coupon = (await commerce.post('/coupons', { percentOff: 20, uniqueCodes: true, contextIds: [eventId] })).body
      .data;
    const codes = ['AAA-1', 'BBB-2'];
    await pricing.post(`/coupons/${coupon.id}/codes`, { codes });
    await buy(1, { coupons: [codes[0]] });
    await buy(1, { coupons: [codes[1]] });
    const adjustment = (await pricing.get(`/pricing/adjustments?couponId=${coupon.id}`)).body.data[0];
    const half = await rehearse([{ patch: { id: adjustment.id, effect: { percent: 50 } } }]);
    expect(half.currencies).toMatchObject([{ before: { revenue: 8_000 }, after: { revenue: 5_000 } }]);
    const vip = await offer('VIP', 10_000, { tags: ['vip'] });
    await order({ items: [{ offeringId: vip, quantity: 1 }] });
    await events.patch(`/events/${eventId}`, { venueId: 'ven_1' });
    const create = {
      targets: [{ urn: `urn:v1:${(await events.get(`/events/${eventId}`)).body.data.companyId}:venues:venue/ven_1` }],
      conditions: { tags: ['vip'] },
      effect: { kind: 'percentage_off', percent: 10 },
    };
    const tagged = await rehearse([{ create }]);
    expect(tagged.currencies).toMatchObject([{ after: { revenue: 17_000 }, winners: { orders: 1, amount: 1_000 } }]);
  });

  test('counts amended orders, and orders with stated prices, as they are', async () => {
    const { buy, commerce, companyId, rehearse } = await newTheatre();
    const amended = await buy(3);
    await commerce.post(`/orders/${amended.id}/amendments`, { mode: 'keep', items: [{ lineId: 'ln_1', quantity: 1 }] });
    await buy(1, { costs: { total: 4_321 } });
    const create = {
      targets: [{ urn: `urn:v1:${companyId}:events:event/*` }],
      effect: { kind: 'percentage_off', percent: 50 },
    };
    expect(await rehearse([{ create }])).toMatchObject({
      orders: 2,
      touched: 0,
      currencies: [{ before: { revenue: 9_321 }, after: { revenue: 9_321 } }],
      kept: { amended: 1, stated: 1, unexplained: 0 },
    });
  });

  test('refuses what it cannot rehearse, and says where', async () => {
    const { adjust, companyId, pricing } = await newTheatre();
    const { code, id } = await adjust({});
    const start = async (changes: unknown, more: object = {}) =>
      (await pricing.post('/pricing/rehearsals', { ...PERIOD, changes, ...more })).body.error;
    const pathsOf = (error: any) => error.details.map(({ path }: any) => path);
    expect(pathsOf(await start([], { to: PERIOD.from }))).toEqual(['to']);
    expect(pathsOf(await start([{}]))).toEqual(['changes[0]']);
    expect(pathsOf(await start([{ archive: { id }, patch: { id } }]))).toEqual(['changes[0]']);
    expect(pathsOf(await start([{ patch: { id, effect: { percent: 101 } } }]))).toEqual([
      'changes[0].patch.effect.percent',
    ]);
    expect(pathsOf(await start([{ archive: { id } }, { patch: { id, priority: 1 } }]))).toEqual(['changes']);
    expect(await start([{ archive: { id: 'adj_unknown' } }])).toMatchObject({ code: 'ADJUSTMENT_NOT_FOUND' });
    const create = {
      targets: [{ urn: `urn:v1:${companyId}:events:event/*` }],
      effect: { kind: 'percentage_off', percent: 50 },
      conditions: { code },
    };
    const taken = await start([{ create }]);
    expect([taken.code, pathsOf(taken)]).toEqual(['COUPON_CODE_TAKEN', ['changes[0].create.conditions.code']]);
    const poor = await pricing.as('pricing:read').post('/pricing/rehearsals', { ...PERIOD, changes: [] });
    expect([poor.status, poor.body.error.message]).toEqual([403, expect.stringContaining('orders:read')]);
    expect((await pricing.get('/pricing/rehearsals/reh_unknown')).body.error.code).toBe('REHEARSAL_NOT_FOUND');
  });
});
