import type { ListedOffering } from '@event-commerce/contracts';
import { describe, expect, test } from 'vitest';
import type { Cart } from './cart.ts';
import { aCatalogue, anOffering, evaluationOf } from './cart.fixture.ts';
import { listPrices } from './list-prices.ts';
import { evaluationRequest, priceCart } from './price-cart.ts';

const EUR = (amount: number) => ({ amount, currency: 'EUR' });

test('a request to pricing has everything that a condition of an adjustment may need', () => {
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

describe('an event', () => {
  const left = (event: number, changes: Partial<ListedOffering> = {}): Partial<ListedOffering> => ({
    availability: { sold: 0, held: 0, left: event },
    event: { status: 'published', left: event },
    ...changes,
  });
  /** Why each item cannot be ordered, if so. */
  const availableOf = (quantities: Record<string, number>, ...offerings: ListedOffering[]) => {
    const lines = Object.entries(quantities).map(([offeringId, quantity]) => ({ offeringId, quantity }));
    const cart: Cart = { lines, coupons: [] };
    const listed = listPrices(cart, aCatalogue(...offerings), 'EUR');
    const request = evaluationRequest(cart, listed);
    const { items } = priceCart(listed, request && evaluationOf(request), new Date());
    return items.map(({ available, unavailableReason }) => unavailableReason ?? available);
  };

  test('shares its remaining tickets among all of its offerings', () => {
    const elsewhere = anOffering('c', left(10, { eventId: 'evt_2' }));
    const offerings = [anOffering('a', left(10)), anOffering('b', left(10)), elsewhere];
    expect(availableOf({ a: 6, b: 4, c: 6 }, ...offerings)).toEqual([true, true, true]);
    expect(availableOf({ a: 6, b: 6, c: 6 }, ...offerings)).toEqual(['too-few-left', 'too-few-left', true]);
  });

  test('has all of its remaining tickets for the offerings that are for sale', () => {
    const inactive = anOffering('a', left(10, { status: 'inactive' }));
    expect(availableOf({ a: 6, b: 6 }, inactive, anOffering('b', left(10)))).toEqual(['inactive', true]);
  });

  test('has tickets left for others if one of its offerings has fewer of its own', () => {
    const scarce = anOffering('a', left(10, { availability: { sold: 0, held: 0, left: 1 } }));
    expect(availableOf({ a: 2, b: 2 }, scarce, anOffering('b', left(10)))).toEqual(['too-few-left', true]);
  });

  test.each([
    ['draft', 'event-draft'],
    ['published', true],
    ['postponed', true],
    ['cancelled', 'event-cancelled'],
    ['completed', 'event-completed'],
    ['archived', 'event-archived'],
  ] as const)('that is %s: %s', (status, available) => {
    expect(availableOf({ a: 1 }, anOffering('a', { event: { status } }))).toEqual([available]);
  });

  test.each([
    ['2026-01-01T00:00:00.000Z', {}, 'event-over'],
    ['2999-01-01T00:00:00.000Z', {}, true],
    ['2026-01-01T00:00:00.000Z', { onSaleUntil: '2999-01-01T00:00:00.000Z' }, true],
  ] as const)('that is over at %s, with %j: %s', (over, fields, available) => {
    const offering = anOffering('a', { event: { status: 'published', over }, ...fields });
    expect(availableOf({ a: 1 }, offering)).toEqual([available]);
  });
});
