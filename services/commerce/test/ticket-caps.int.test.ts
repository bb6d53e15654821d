import { newCode } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { PATIENT } from './shop.ts';
import { newSale, orderOf, tickets } from './ticket-sale.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

test(
  'the first three tickets cost 20.00, in evaluations, carts and orders, until an order gives them back',
  async () => {
    const sale = await newSale(services, { maxTickets: 3 });
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

test('the dearest ticket of an order costs half, whichever lines the tickets are in', async () => {
  const half = { kind: 'percentage_off', percent: 50, units: { max: 1, pick: 'dearest' } };
  const sale = await newSale(services, {}, { effect: half });
  const [cheap, other] = await Promise.all([sale.offer('Back', 3_000), sale.offer('Back, aisle', 3_000)]);
  for (const items of [
    [
      { offeringId: cheap, quantity: 2 },
      { offeringId: sale.ticket, quantity: 1 },
    ],
    [cheap, sale.ticket, other].map((offeringId) => ({ offeringId, quantity: 1 })),
  ]) {
    expect(orderOf(await sale.order({ items })).costs.total).toBe(8_500);
  }
});

test('an order gets what is left, and the next one nothing, whatever it named', async () => {
  const code = newCode();
  const sale = await newSale(services, { maxTickets: 3, code });
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

test('a customer gets two tickets in all orders together; an unknown customer gets none', async () => {
  const sale = await newSale(services, { maxTicketsPerCustomer: 2 });
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
