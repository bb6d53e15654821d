import { newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newBudgetSale, TENTH, usage } from './budget-sale.ts';
import { newShop, PATIENT } from './shop.ts';
import { orderOf } from './ticket-sale.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const total = (reply: Parameters<typeof orderOf>[0]): number => orderOf(reply).costs.total;

test(
  'a partial budget pays for orders until it is empty, to the cent',
  async () => {
    const sale = await newBudgetSale(services, { onExhausted: 'partial' });
    expect(await sale.left()).toEqual(usage(0, 1_500));
    expect((await sale.evaluate(2)).perOrderModifiers).toMatchObject([{ total: -1_000, budgetId: sale.budgetId }]);
    const first = orderOf(await sale.buy(2));
    expect([first.costs.total, first.pricing.modifiers]).toMatchObject([9_000, [{ budgetId: sale.budgetId }]]);
    expect((await sale.evaluate(2)).perOrderModifiers).toMatchObject([
      { total: -500, limited: { reason: 'budget-exhausted' } },
    ]);
    const second = orderOf(await sale.buy(2, { expectedTotal: 9_500 }));
    expect(second.costs.total).toBe(9_500);
    const { summary, droppedAdjustments } = await sale.evaluate(2);
    expect([summary.total, droppedAdjustments]).toMatchObject([
      10_000,
      [{ reason: 'budget-exhausted', detail: 'its budget has 0.00 EUR left' }],
    ]);
    expect(total(await sale.buy(2))).toBe(10_000);
    await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(1_500, 0));
    const exhausted = () => sale.published().filter(({ type }) => type === 'budget.exhausted');
    await expect.poll(exhausted, PATIENT).toHaveLength(1);
    await sale.cancel(second);
    expect(await sale.left()).toEqual(usage(1_000, 500));
    expect(total(await sale.buy(2))).toBe(9_500);
  },
  PATIENT.timeout,
);

test(
  'an adjustment that would take more than its budget has left is left out, until an order gives some back',
  async () => {
    const sale = await newBudgetSale(services);
    const first = orderOf(await sale.buy(2));
    expect(first.costs.total).toBe(9_000);
    const { summary, droppedAdjustments } = await sale.evaluate(2);
    expect([summary.total, droppedAdjustments]).toMatchObject([
      10_000,
      [
        {
          reason: 'budget-exhausted',
          detail: 'its budget has 5.00 EUR left, this order would take 10.00 EUR',
        },
      ],
    ]);
    expect(total(await sale.buy(2))).toBe(10_000);
    expect(total(await sale.buy(1))).toBe(4_500);
    await sale.cancel(first);
    expect(total(await sale.buy(2))).toBe(9_000);
    await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(1_500, 0));
  },
  PATIENT.timeout,
);

test('an order with a code that its budget does not pay for is refused, with the message of an evaluation', async () => {
  const code = newCode();
  const sale = await newBudgetSale(services, {}, { conditions: { code } });
  orderOf(await sale.buy(2, { coupons: [code] }));
  const { status, body } = await sale.buy(2, { coupons: [code] });
  expect([status, body.error]).toMatchObject([
    409,
    {
      code: 'REDEMPTION_LIMIT_REACHED',
      details: [{ reason: 'budget-exhausted', detail: expect.stringContaining('has 5.00 EUR left'), code }],
    },
  ]);
  expect(await sale.left()).toMatchObject({ left: 500 });
});

test('a partial budget pays for whole tickets of an effect per unit, and the order holds no more than that', async () => {
  const effect = { kind: 'percentage_off', percent: 10, per: 'unit' };
  const sale = await newBudgetSale(
    services,
    { limit: { amount: 1_200, currency: 'EUR' }, onExhausted: 'partial' },
    { effect },
  );
  expect((await sale.evaluate(4)).perUnitModifiers).toMatchObject([
    { units: 2, total: -1_000, limited: { wanted: 4, units: 2, reason: 'budget-exhausted' } },
  ]);
  expect(total(await sale.buy(4))).toBe(19_000);
  await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(1_000, 200));
  expect(total(await sale.buy(1))).toBe(5_000);
  expect(await sale.left()).toMatchObject({ left: 200 });
});

test('a budget per customer is counted for each; an unknown one gets nothing', async () => {
  const sale = await newBudgetSale(services, { per: 'customer', onExhausted: 'partial' });
  const buy = async (id: string) => total(await sale.buy(2, { customer: { id, email: 'ada@example.com' } }));
  expect([await buy('cus_1'), await buy('cus_1'), await buy('cus_1'), await buy('cus_2')]).toEqual([
    9_000, 9_500, 10_000, 9_000,
  ]);
  await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(2_500, null));
  expect([await sale.left('?customerId=cus_1'), await sale.left('?customerId=cus_2')]).toEqual([
    usage(1_500, 0),
    usage(1_000, 500),
  ]);
  expect((await sale.evaluate(2)).droppedAdjustments).toMatchObject([{ reason: 'customer-missing' }]);
  expect((await sale.evaluate(2, { customerId: 'cus_2' })).summary.total).toBe(9_500);
});

test('a budget per day can be read for any day', async () => {
  const sale = await newBudgetSale(services, { per: 'day', timezone: 'Asia/Kolkata' });
  orderOf(await sale.buy(2));
  const today = Temporal.Now.plainDateISO('Asia/Kolkata');
  await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(1_000, 500));
  expect(await sale.left(`?day=${today.subtract({ days: 1 }).toString()}`)).toEqual(usage(0, 1_500));
  expect((await sale.evaluate(2, { now: today.add({ days: 1 }).toString().concat('T12:00:00Z') })).summary.total).toBe(
    9_000,
  );
  expect((await sale.evaluate(2)).summary.total).toBe(10_000);
});

describe('an order that draws on a budget', () => {
  const line = (quantity: number) => [{ lineId: 'ln_1', quantity }];

  test(
    'gives back what it no longer takes, ticket by ticket, and the rest when it is cancelled',
    async () => {
      const sale = await newBudgetSale(services);
      const order = orderOf(await sale.buy(3));
      expect([order.costs.total, await sale.left()]).toMatchObject([13_500, { left: 0 }]);
      for (const [quantity, left] of [
        [2, 500],
        [1, 1_000],
      ] as const) {
        await sale.amend(order, { mode: 'keep', items: line(quantity) });
        expect(await sale.left()).toMatchObject({ left });
      }
      await sale.cancel(order);
      await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(0, 1_500));
    },
    PATIENT.timeout,
  );

  test(
    'is priced again with its own share and what is left',
    async () => {
      const sale = await newBudgetSale(services, { onExhausted: 'partial' });
      const order = orderOf(await sale.buy(2));
      orderOf(await sale.order({ items: sale.items(1), coupons: [] }));
      expect(await sale.left()).toMatchObject({ left: 0 });
      const grown = await sale.amend(order, { mode: 'reprice', items: sale.items(3) });
      expect(grown.body.data.order.costs.total).toBe(14_000);
      const fewer = await sale.amend(order, { mode: 'reprice', items: sale.items(1) });
      expect(fewer.body.data.order.costs.total).toBe(4_500);
      expect(await sale.left()).toMatchObject({ left: 500 });
      const again = await sale.amend(order, { mode: 'reprice', items: sale.items(4) });
      expect(again.body.data.order.costs.total).toBe(19_000);
      await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(1_500, 0));
    },
    PATIENT.timeout,
  );

  test(
    'draws on it for added tickets, as far as it lasts',
    async () => {
      const effect = { kind: 'percentage_off', percent: 10, per: 'unit' };
      const sale = await newBudgetSale(services, { onExhausted: 'partial' }, { effect });
      const order = orderOf(await sale.buy(1));
      const adding = [{ offeringId: sale.ticket, quantity: 4 }];
      const { body } = await sale.amend(order, { mode: 'keep', items: adding });
      expect(body.data.order.costs.total).toBe(18_500);
      await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(1_500, 0));
    },
    PATIENT.timeout,
  );

  test(
    'gets its whole share again when it is reopened, or stays over',
    async () => {
      const sale = await newBudgetSale(services);
      const order = orderOf(await sale.buy(2));
      await sale.cancel(order);
      const reopen = async () => sale.commerce.post(`/orders/${order.id}/reopen`, {});
      expect((await reopen()).status).toBe(200);
      expect(await sale.left()).toMatchObject({ left: 500 });
      await sale.cancel(order);
      orderOf(await sale.buy(2));
      const refused = await reopen();
      expect([refused.status, refused.body.error.details[0].reason]).toEqual([409, 'budget-exhausted']);
      expect(await sale.left()).toMatchObject({ left: 500 });
    },
    PATIENT.timeout,
  );
});

test('a pending order holds what it draws, and calling off its event gives it back', async () => {
  const sale = await newBudgetSale(services);
  const order = orderOf(await sale.buy(2, { expiresInSeconds: 600 }));
  await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(0, 500, 1_000));
  await sale.commerce.post(`/orders/${order.id}/confirm`, {});
  await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(1_000, 500));
  const called = await sale.events.post(`/events/${sale.eventId}/call-off`, { reason: 'Storm', cancelOrders: true });
  expect(called.status).toBeLessThan(300);
  await expect.poll(async () => sale.left(), PATIENT).toEqual(usage(0, 1_500));
});

test('a lower limit leaves nothing, and a higher one pays again', async () => {
  const sale = await newBudgetSale(services, { onExhausted: 'partial' });
  orderOf(await sale.buy(2));
  const limit = (amount: number) => ({ limit: { amount } });
  expect((await sale.changeBudget(limit(800))).body.data).toMatchObject({ version: 2, usage: { left: 0 } });
  expect(total(await sale.buy(2))).toBe(10_000);
  await sale.changeBudget(limit(1_300));
  expect(total(await sale.buy(2))).toBe(9_700);
});

test('a cart shows what a budget leaves of a discount as soon as it changes', async () => {
  const sale = await newBudgetSale(services, { onExhausted: 'partial' });
  const cart = await sale.cartOf(sale.items(2));
  const shown = async () => (await sale.cart.get(`/cart/sessions/${cart.id}`)).body.data.total;
  expect(await shown()).toBe(9_000);
  const order = orderOf(await sale.buy(1));
  expect(await shown()).toBe(9_000);
  orderOf(await sale.buy(1));
  expect(await shown()).toBe(9_500);
  await sale.cancel(order);
  expect(await shown()).toBe(9_000);
});

test('a coupon draws on a budget; one that does not exist is refused, and so is one for a surcharge', async () => {
  const shop = await newShop(services);
  const limit = { amount: 1_500, currency: 'EUR' };
  const budgetId = (await shop.pricing.post('/pricing/budgets', { name: 'B', limit })).body.data.id;
  const code = newCode();
  const made = await shop.commerce.post('/coupons', { code, percentOff: 10, per: 'order', budgetId });
  expect([made.status, made.body.data.budgetId]).toEqual([201, budgetId]);
  const items = [{ offeringId: shop.ticket, quantity: 2 }];
  expect(total(await shop.order({ items, coupons: [code] }))).toBe(9_000);
  const refusals = await Promise.all([
    shop.commerce.post('/coupons', { code: newCode(), percentOff: 10, budgetId: 'bud_x' }),
    shop.commerce.patch(`/coupons/${made.body.data.id}`, { budgetId: 'bud_x' }),
    shop.commerce.post('/coupons', {
      code: newCode(),
      effect: { kind: 'percentage_surcharge', percent: 5 },
      budgetId,
    }),
  ]);
  expect(refusals.map(({ status, body }) => [status, body.error.details[0].path])).toEqual(
    Array.from({ length: 3 }, () => [400, 'budgetId']),
  );
});

test('an order draws on at most 20 budgets', async () => {
  const shop = await newShop(services);
  const targets = [{ eventId: shop.eventId }];
  for (let n = 0; n < 21; n++) {
    const limit = { amount: 1_500, currency: 'EUR' };
    const budgetId = (await shop.pricing.post('/pricing/budgets', { name: `B${n}`, limit })).body.data.id;
    const effect = { ...TENTH, percent: 1 };
    const made = await shop.pricing.post('/pricing/adjustments', { targets, conditions: { budgetId }, effect });
    expect(made.status).toBe(201);
  }
  const { status, body } = await shop.order({ items: [{ offeringId: shop.ticket, quantity: 2 }] });
  expect([status, body.error.details[0]]).toMatchObject([
    400,
    { path: 'order.items', message: expect.stringContaining('21 budgets') },
  ]);
});
