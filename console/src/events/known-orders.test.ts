import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { willHappen } from './known-orders.ts';

type Order = components['schemas']['Order'];

function order(quantity: number, total: number): Order {
  const items = [
    { eventId: 'evt_1', quantity },
    { eventId: 'evt_other', quantity: 9 },
  ];
  return { items, costs: { total, currency: 'EUR' } } as Order;
}

it('says how many orders and tickets a call-off cancels, and what they were placed for', () => {
  const known = { eventId: 'evt_1', placed: [order(2, 5000), order(1, 2500)], pending: [order(1, 0)], more: false };
  expect(willHappen(known, 'cancel')).toEqual([
    '2 placed orders with 3 tickets are cancelled.',
    'They were placed for €75.00 together.',
    '1 pending order with 1 held ticket waits for payment.',
  ]);
  expect(willHappen({ ...known, placed: [order(2, 5000)], pending: [] }, 'list')).toEqual([
    '1 placed order with 2 tickets stays as it is.',
    'It was placed for €50.00.',
  ]);
});

it('does not count what it has not loaded', () => {
  const known = { eventId: 'evt_1', placed: [order(2, 5000)], pending: [], more: true };
  expect(willHappen(known, 'cancel')[0]).toMatch(/^At least 1 placed order/);
  expect(willHappen({ ...known, placed: [] }, 'cancel')).toEqual(['It has no orders.']);
});
