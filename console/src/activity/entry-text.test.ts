import { expect, it } from 'vitest';
import { briefly, readChange, recordOf, sentence } from './entry-text.ts';

const entry = (type: string, data: Record<string, unknown>) => ({
  id: 'e1',
  cursor: '1',
  type,
  timestamp: '2027-07-01T10:00:00.000Z',
  companyId: 'co_1',
  environment: 'live' as const,
  subject: 'id_1',
  related: [],
  data,
});

it('says what happened to which record', () => {
  const order = { orderNumber: 'S-1', costs: { total: 5000 }, currency: 'EUR' };
  const redemption = { redemption: { code: 'SUMMER', adjustmentId: 'adj_1', orderId: 'ord_1' } };
  const said = [
    sentence(entry('order.placed', order)),
    sentence(entry('coupon.updated', { code: 'SUMMER' })),
    sentence(entry('redemption.confirmed', redemption)),
    sentence(entry('event.created', { kind: 'series', name: 'Jazz' })),
    sentence(entry('gift_card.topped_up', {})),
    sentence(entry('activity.gap', {})),
  ];
  expect(said).toEqual([
    'Order S-1 placed, €50.00',
    'Coupon SUMMER changed',
    'Redemption of SUMMER for order ord_1 confirmed',
    'Series “Jazz” created',
    'Gift card id_1 topped up',
    'Events before this one may be missing',
  ]);
});

it('leads to the page of the record: that of the coupon for the price that belongs to it', () => {
  expect(recordOf(entry('adjustment.updated', { name: 'SUMMER', couponId: 'cpn_1' }))).toEqual({
    name: 'Price of coupon “SUMMER”',
    href: '/console/coupons/cpn_1',
  });
  expect(recordOf(entry('offering.created', { name: 'Seat', eventId: 'evt_1' })).href).toBe('/console/events/evt_1');
});

it('shows short changes with their values, and names the members of long ones', () => {
  expect(briefly({ changes: [{ path: 'percentOff', before: 10, after: 15 }], data: {} })).toBe('percent off 10 → 15');
  expect(briefly({ changes: [{ path: 'customer', redacted: true }], data: {} })).toBe('customer');
  const long = ['name', 'conditions.maxRedemptions', 'priority', 'status'].map((path) => ({
    path,
    after: 'x'.repeat(30),
  }));
  expect(briefly({ changes: long, data: {} })).toBe('name, conditions › max redemptions, priority and 1 more');
  expect(readChange({ path: 'offeringIds', before: ['off_1', 'off_2'] }, {}).values).toEqual(['off_1, off_2', 'none']);
  const modifiers = Array.from({ length: 9 }, (_, n) => ({ adjustmentId: `adj_${n}`, total: -500 }));
  expect(readChange({ path: 'pricing.modifiers', after: modifiers }, {}).values).toBeUndefined();
});

it('shows amounts in the currency of the record, and says so where the record does not name one', () => {
  const changed = { before: 5000, after: 4500 };
  const price = { price: { amount: 4500, currency: 'EUR' } };
  expect(briefly({ changes: [{ path: 'price.amount', ...changed }], data: price })).toBe(
    'price › amount €50.00 → €45.00',
  );
  expect(briefly({ changes: [{ path: 'costs.total', ...changed }], data: { costs: {}, currency: 'JPY' } })).toBe(
    'costs › total ¥5,000 → ¥4,500',
  );
  expect(briefly({ changes: [{ path: 'effect.amount', ...changed }], data: {} })).toBe(
    'effect › amount (minor units) 5,000 → 4,500',
  );
  expect(readChange({ path: 'minimum', after: { amount: 4500, currency: 'EUR' } }, {}).values?.[1]).toBe('€45.00');
});
