import { newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop, PATIENT } from './shop.ts';
import { EARLY, newSale, orderOf, tickets } from './ticket-sale.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('an order of five tickets, three of them at 20.00', () => {
  const fiveTickets = async () => {
    const sale = await newSale(services, { maxTickets: 4 }, { effect: { ...EARLY, units: { max: 3 } } });
    return { ...sale, order: orderOf(await sale.buy(5)) };
  };
  const one = (quantity: number) => [{ lineId: 'ln_1', quantity }];

  test(
    'pays back an even share for each ticket, and claims no more than it has left',
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
  const sale = await newSale(services, { maxTickets: 4 });
  const order = orderOf(await sale.buy(3));
  await sale.change({ conditions: { maxTickets: 2 } });
  expect(await sale.usage()).toMatchObject(tickets(3, 0));
  expect((await sale.evaluate()).summary.total).toBe(5_000);
  const { body } = await sale.amend(order, { mode: 'reprice', items: [{ lineId: 'ln_1', quantity: 2 }] });
  expect(body.data.order.costs.total).toBe(4_000);
});

test('an item whose total is stated as a cart shows it is priced by the platform', async () => {
  const sale = await newSale(services, { maxTickets: 1 });
  const items = [{ offeringId: sale.ticket, quantity: 2, unitPrice: 5_000, total: 7_000 }];
  expect(orderOf(await sale.order({ items }))).toMatchObject({
    pricing: { source: 'platform' },
    costs: { total: 7_000 },
  });
});

test('a coupon limits tickets by flat fields', async () => {
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

test('an effect that picks its own tickets has no units', async () => {
  const { pricing } = await newShop(services);
  const effect = { kind: 'buy_x_get_y', buy: 2, get: 1, percent: 100, units: { max: 1 } };
  const made = await pricing.post('/pricing/adjustments', { name: 'x', type: 'promotion', targets: [], effect });
  expect(made.body.error.details).toContainEqual(expect.objectContaining({ path: 'effect.units' }));
});
