import { expect, test } from 'vitest';
import type { Cart } from './cart.ts';
import { aCatalogue, anOffering } from './cart.fixture.ts';
import { listPrices } from './list-prices.ts';
import { evaluationRequest } from './price-cart.ts';

const EUR = (amount: number) => ({ amount, currency: 'EUR' });

test('pricing is told all that a condition of an adjustment may ask for', () => {
  const catalogue = aCatalogue(anOffering('ticket', { eventId: 'evt_9', tags: ['vip', 'front'] }));
  const cart: Cart = {
    contextId: 'evt_1',
    customerId: 'cus_1',
    customerSegment: 'member',
    channelId: 'web',
    lines: [
      { offeringId: 'ticket', quantity: 2 },
      { offeringId: 'own', quantity: 3, price: EUR(100) },
    ],
    coupons: ['Summer'],
  };
  expect(evaluationRequest(cart, listPrices(cart, catalogue, 'EUR'))).toStrictEqual({
    lines: [
      { offering: { id: 'ticket', eventId: 'evt_9', price: EUR(5_000), tags: ['vip', 'front'] }, quantity: 2 },
      { offering: { id: 'own', eventId: 'evt_1', price: EUR(100) }, quantity: 3 },
    ],
    cartContext: {
      codes: ['Summer'],
      customerId: 'cus_1',
      customerSegment: 'member',
      channelId: 'web',
      orderTotal: EUR(10_300),
    },
  });
});
