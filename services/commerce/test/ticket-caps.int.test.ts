import { call } from '@event-commerce/bus';
import { RPC } from '@event-commerce/contracts';
import { newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const EARLY = { kind: 'fixed_price', amount: 2_000, currency: 'EUR' };

/** A shop with an adjustment that counts for some tickets only, and what its tests do with it. */
async function newSale(
  conditions: object,
  { effect = EARLY, ...more }: { effect?: object; [member: string]: unknown } = {},
) {
  const shop = await newShop(services);
  const { commerce, pricing } = shop;
  const automatic = {
    name: 'Early',
    type: 'promotion',
    category: 'promotion',
    origin: 'manual',
    stacking: 'stackable',
  };
  const targets = [{ urn: `urn:v1:${shop.companyId}:events:event/*` }];
  const made = await pricing.post('/pricing/adjustments', { ...automatic, targets, conditions, effect, ...more });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  const { id } = made.body.data;
  const items = (quantity: number) => [{ offeringId: shop.ticket, quantity }];
  return {
    ...shop,
    id: id as string,
    items,
    buy: async (quantity: number, changes: object = {}) => shop.order({ items: items(quantity), ...changes }),
    evaluate: async (quantity = 1, cartContext: object = {}) => {
      const offering = { id: shop.ticket, eventId: shop.eventId, price: { amount: 5_000, currency: 'EUR' } };
      const body = { offering, cartContext: { quantity, ...cartContext } };
      return await call(services.bus, RPC.evaluate, body, shop.context());
    },
    change: async (body: object) => expect((await pricing.patch(`/pricing/adjustments/${id}`, body)).status).toBe(200),
    usage: async () => (await pricing.get(`/pricing/adjustments/${id}`)).body.data.usage,
    amend: async (order: { id: string }, body: object) => commerce.post(`/orders/${order.id}/amendments`, body),
    cancel: async (order: { id: string }) =>
      expect((await commerce.post(`/orders/${order.id}/cancel`, {})).status).toBe(200),
  };
}

const tickets = (claimed: number, remaining: number | null) => ({ tickets: { claimed, remaining } });
const orderOf = (reply: { status: number; body: any }) => {
  expect([reply.status, reply.body.error]).toEqual([201, undefined]);
  return reply.body.data.order;
};

test(
  'the first three tickets cost 20.00, in evaluations, carts and orders, until an order gives them back',
  async () => {
    const sale = await newSale({ maxTickets: 3 });
    const evaluated = await sale.evaluate(5);
    expect(evaluated.summary.total).toBe(16_000);
    expect(evaluated.perUnitModifiers).toMatchObject([
      { amount: -3_000, units: 3, limited: { wanted: 5, units: 3, reason: 'ticket-limit-reached' } },
    ]);
    expect(evaluated.groups).toMatchObject([
      { quantity: 3, effectivePrice: { amount: 2_000 } },
      { quantity: 2, effectivePrice: { amount: 5_000 } },
    ]);
    const cart = await sale.cartOf(sale.items(5));
    expect([cart.total, cart.items[0].groups]).toEqual([
      16_000,
      [
        { quantity: 3, effectiveUnitPrice: 2_000 },
        { quantity: 2, effectiveUnitPrice: 5_000 },
      ],
    ]);

    const order = orderOf(await sale.buy(5, { expectedTotal: 16_000 }));
    expect(order).toMatchObject({
      costs: { subtotal: 25_000, modifiers: -9_000, total: 16_000 },
      pricing: { source: 'platform', modifiers: [{ adjustmentId: sale.id, units: 3, total: -9_000 }] },
      items: [
        {
          quantity: 5,
          unitPrice: 5_000,
          shares: [{ adjustmentId: sale.id, units: 3, total: -9_000 }],
          charged: 16_000,
        },
      ],
    });
    expect(await sale.usage()).toMatchObject({ claimed: 1, ...tickets(3, 0) });
    const { summary, droppedAdjustments } = await sale.evaluate();
    expect([summary.total, droppedAdjustments]).toMatchObject([
      5_000,
      [{ reason: 'ticket-limit-reached', detail: 'allows 3 tickets in all, none is left' }],
    ]);
    expect((await sale.cart.get(`/cart/sessions/${cart.id}`)).body.data.total).toBe(25_000);

    await sale.cancel(order);
    expect(await sale.usage()).toMatchObject({ claimed: 0, ...tickets(0, 3) });
    expect((await sale.evaluate()).summary.total).toBe(2_000);
  },
  PATIENT.timeout,
);

test('an order gets what is left, and the next one nothing, whatever it named', async () => {
  const code = newCode();
  const sale = await newSale({ maxTickets: 3, code });
  orderOf(await sale.buy(2, { coupons: [code] }));
  expect((await sale.evaluate(4, { codes: [code] })).summary.total).toBe(17_000);
  expect(orderOf(await sale.buy(4, { coupons: [code] })).costs.total).toBe(17_000);
  const refused = await sale.buy(1, { coupons: [code] });
  expect([refused.status, refused.body.error]).toMatchObject([
    409,
    { code: 'REDEMPTION_LIMIT_REACHED', details: [{ reason: 'ticket-limit-reached', code }] },
  ]);
  expect(orderOf(await sale.buy(1)).costs.total).toBe(5_000);
  expect(await sale.usage()).toMatchObject(tickets(3, 0));
});

test('an item whose total is stated as a cart shows it is priced by the platform', async () => {
  const sale = await newSale({ maxTickets: 1 });
  const items = [{ offeringId: sale.ticket, quantity: 2, unitPrice: 5_000, total: 7_000 }];
  expect(orderOf(await sale.order({ items }))).toMatchObject({
    pricing: { source: 'platform' },
    costs: { total: 7_000 },
  });
});

test('a customer gets two tickets in all orders together; one who is unknown gets none', async () => {
  const sale = await newSale({ maxTicketsPerCustomer: 2 });
  const customer = { id: 'cus_1', email: 'ada@example.com' };
  expect(orderOf(await sale.buy(1, { customer })).costs.total).toBe(2_000);
  const { perUnitModifiers } = await sale.evaluate(3, { customerId: 'cus_1' });
  expect(perUnitModifiers).toMatchObject([
    { limited: { wanted: 3, units: 1, reason: 'customer-ticket-limit-reached' } },
  ]);
  const second = orderOf(await sale.buy(3, { customer }));
  expect(second.costs.total).toBe(12_000);
  const { droppedAdjustments } = await sale.evaluate(1, { customerId: 'cus_1' });
  expect(droppedAdjustments).toMatchObject([{ reason: 'customer-ticket-limit-reached' }]);
  expect((await sale.evaluate()).droppedAdjustments).toMatchObject([{ reason: 'customer-missing' }]);
  expect((await sale.evaluate(2, { customerId: 'cus_2' })).summary.total).toBe(4_000);
  expect(await sale.usage()).toMatchObject(tickets(2, null));
  await sale.cancel(second);
  expect((await sale.evaluate(1, { customerId: 'cus_1' })).summary.total).toBe(2_000);
});

test('a coupon says all of it flat', async () => {
  const shop = await newShop(services);
  const code = newCode();
  const units = { max: 2, pick: 'dearest' };
  const made = await shop.commerce.post('/coupons', {
    code,
    percentOff: 50,
    units,
    maxTickets: 3,
    maxTicketsPerCustomer: 3,
  });
  expect([made.status, made.body.data]).toMatchObject([201, { units, maxTickets: 3, maxTicketsPerCustomer: 3 }]);
  const buy = async () =>
    shop.order({
      items: [{ offeringId: shop.ticket, quantity: 3 }],
      coupons: [code],
      customer: { id: 'cus_1', email: 'ada@example.com' },
    });
  expect(orderOf(await buy()).costs.total).toBe(10_000);
  expect(orderOf(await buy()).costs.total).toBe(12_500);
  const both = await shop.commerce.post('/coupons', { effect: { kind: 'percentage_off', percent: 5 }, units });
  expect([both.status, both.body.error.details[0].path]).toEqual([400, 'units']);
});

test('an effect that finds its tickets itself has no units', async () => {
  const { pricing } = await newShop(services);
  const effect = { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100, units: { max: 1 } };
  const made = await pricing.post('/pricing/adjustments', { name: 'x', type: 'promotion', targets: [], effect });
  expect(made.body.error.details).toContainEqual(expect.objectContaining({ path: 'effect.units' }));
});

describe('an order of five tickets, three of them at 20.00', () => {
  const fiveTickets = async () => {
    const sale = await newSale({ maxTickets: 4 }, { effect: { ...EARLY, units: { max: 3 } } });
    return { ...sale, order: orderOf(await sale.buy(5)) };
  };
  const one = (quantity: number) => [{ lineId: 'ln_1', quantity }];

  test(
    'pays back an even part for each ticket, and keeps no more of them than it has left',
    async () => {
      const sale = await fiveTickets();
      expect(sale.order.costs.total).toBe(16_000);
      expect(await sale.usage()).toMatchObject(tickets(3, 1));
      const dues: number[] = [];
      for (const [quantity, claimed] of [
        [4, 3],
        [2, 2],
        [1, 1],
      ] as const) {
        const { body } = await sale.amend(sale.order, { mode: 'keep', items: one(quantity) });
        dues.push(body.data.amendment.due);
        expect(await sale.usage()).toMatchObject(tickets(claimed, 4 - claimed));
      }
      expect(dues).toEqual([-3_200, -6_400, -3_200]);
      await sale.cancel(sale.order);
      expect(await sale.usage()).toMatchObject(tickets(0, 4));
    },
    PATIENT.timeout,
  );

  test(
    'is priced again with the tickets that it has',
    async () => {
      const sale = await fiveTickets();
      expect(orderOf(await sale.buy(2)).costs.total).toBe(7_000);
      const { body } = await sale.amend(sale.order, { mode: 'reprice', items: one(4) });
      expect([body.data.amendment.due, body.data.order.costs.total]).toEqual([-5_000, 11_000]);
      expect(await sale.usage()).toMatchObject(tickets(4, 0));
      const fewer = await sale.amend(sale.order, { mode: 'reprice', items: one(2) });
      expect(fewer.body.data.order.costs.total).toBe(4_000);
      expect(await sale.usage()).toMatchObject(tickets(3, 1));
    },
    PATIENT.timeout,
  );

  test(
    'claims tickets for what it adds, as many as are left',
    async () => {
      const sale = await fiveTickets();
      const adding = [{ offeringId: sale.ticket, quantity: 7 }];
      const { body } = await sale.amend(sale.order, { mode: 'keep', items: adding });
      expect([body.data.amendment.due, body.data.order.costs.total]).toEqual([7_000, 23_000]);
      expect(await sale.usage()).toMatchObject(tickets(4, 0));
      // The line that was added last goes first, with its ticket.
      const fewer = await sale.amend(sale.order, { mode: 'keep', items: [{ offeringId: sale.ticket, quantity: 5 }] });
      expect(fewer.body.data.order.costs.total).toBe(16_000);
      expect(await sale.usage()).toMatchObject(tickets(3, 1));
      await sale.cancel(sale.order);
      expect(await sale.usage()).toMatchObject(tickets(0, 4));
    },
    PATIENT.timeout,
  );

  test(
    'gives them back when it is over, and gets all of them again, or stays over',
    async () => {
      const sale = await fiveTickets();
      await sale.cancel(sale.order);
      const reopen = async () => sale.commerce.post(`/orders/${sale.order.id}/reopen`, {});
      const reopened = await reopen();
      expect([reopened.status, reopened.body.data.order?.costs.total ?? reopened.body.data.costs.total]).toEqual([
        200, 16_000,
      ]);
      expect(await sale.usage()).toMatchObject(tickets(3, 1));
      await sale.cancel(sale.order);
      orderOf(await sale.buy(2));
      const refused = await reopen();
      expect([refused.status, refused.body.error.details[0].reason]).toEqual([409, 'ticket-limit-reached']);
      expect(await sale.usage()).toMatchObject(tickets(2, 2));
    },
    PATIENT.timeout,
  );
});

test('a lower limit leaves nothing, and what orders have stays with them', async () => {
  const sale = await newSale({ maxTickets: 4 });
  const order = orderOf(await sale.buy(3));
  await sale.change({ conditions: { maxTickets: 2 } });
  expect(await sale.usage()).toMatchObject(tickets(3, 0));
  expect((await sale.evaluate()).summary.total).toBe(5_000);
  const { body } = await sale.amend(order, { mode: 'reprice', items: [{ lineId: 'ln_1', quantity: 2 }] });
  expect(body.data.order.costs.total).toBe(4_000);
});
