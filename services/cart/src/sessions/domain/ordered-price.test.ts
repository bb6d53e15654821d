import type { Modifier, OrderPrice } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { modifierTotals, orderedPrice } from './ordered-price.ts';

const modifier = (adjustmentId: string, total: number) => ({ adjustmentId, total }) as Modifier;

const order: OrderPrice = {
  items: [
    {
      offeringId: 'off_1',
      name: 'Ticket',
      quantity: 2,
      unitPrice: 5_000,
      effectiveUnitPrice: 4_000,
      total: 8_000,
      modifiers: [modifier('adj_1', -2_000)],
      priced: true,
    },
    { name: 'Note', quantity: 1, total: 0, modifiers: [], priced: false },
  ],
  costs: { subtotal: 10_000, modifiers: -3_000, fees: 200, tax: 30, total: 7_230 },
  modifiers: [modifier('adj_1', -500), modifier('adj_2', -500)],
  coupons: [
    { code: 'WON', adjustmentId: 'adj_1', redemptionId: 'rdm_1' },
    { code: 'LOST', adjustmentId: 'adj_3', reason: 'replaced-within-category', detail: 'replaced by WON' },
  ],
  createdAt: '2027-01-01T00:00:00.000Z',
};

test('an ordered cart shows the items, modifiers, codes and total of its order', () => {
  expect(orderedPrice(order, 'EUR')).toEqual({
    items: [order.items[0], { ...order.items[1], unitPrice: null, effectiveUnitPrice: null }],
    couponResults: [
      { code: 'WON', status: 'applied', adjustmentId: 'adj_1' },
      {
        code: 'LOST',
        status: 'dropped',
        adjustmentId: 'adj_3',
        reason: 'replaced-within-category',
        detail: 'replaced by WON',
      },
    ],
    perOrderModifiers: order.modifiers,
    summary: { subtotal: 10_000, modifiers: -3_000, fees: 200, tax: 30, total: 7_230, currency: 'EUR' },
    pricedAt: '2027-01-01T00:00:00.000Z',
  });
});

test('the modifiers of an adjustment on items and on the order add up to one total', () => {
  expect(modifierTotals(orderedPrice(order, 'EUR'))).toEqual([
    { adjustmentId: 'adj_1', total: -2_500 },
    { adjustmentId: 'adj_2', total: -500 },
  ]);
});
