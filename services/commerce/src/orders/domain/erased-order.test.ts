import { expect, test } from 'vitest';
import { erasedAmendment, erasedChange, erasedOrder } from './erased-order.ts';

const holder = { name: 'Ada Lovelace' };
const item = {
  lineId: 'ln_1',
  offeringId: 'off_1',
  name: 'Ticket',
  quantity: 2,
  unitPrice: 500,
  total: 900,
  modifiers: [],
  shares: [],
  charged: 900,
  priced: true,
};
const costs = { subtotal: 1_000, modifiers: -100, fees: 0, tax: 0, total: 900, currency: 'EUR' };
const claim = { redemptionId: 'rdm_1', adjustmentId: 'adj_1', customerId: 'ada', quantity: 1 };
const order = {
  orderNumber: 'N-1',
  items: [{ ...item, holder, adjustments: ['adj_1', { adjustmentId: 'adj_2', holder }] }],
  costs: { ...costs, paidBy: 'Ada' },
  coupons: [{ code: 'TEN', adjustmentId: 'adj_1', redemptionId: 'rdm_1', foundBy: 'Ada' }],
  context: { urn: 'urn:1', seenBy: holder },
  claims: [claim, { ...claim, redemptionId: 'rdm_2', customerId: 'agency' }],
};

test('an order keeps what was sold and redeemed, and nothing about its customer', () => {
  expect(erasedOrder(order, ['ada'], 'erased_1')).toEqual({
    customer: { id: 'erased_1', email: 'erased@erased.invalid' },
    items: [{ ...item, adjustments: ['adj_1', 'adj_2'] }],
    costs,
    coupons: [{ code: 'TEN', adjustmentId: 'adj_1', redemptionId: 'rdm_1' }],
    context: { urn: 'urn:1' },
    agreements: {},
    answers: {},
    forwarded: {},
    meta: {},
    claims: [{ ...claim, customerId: 'erased_1' }, order.claims[1]],
    terms: ['e erased@erased.invalid', 'o off_1', 'c TEN', 'w n', 'w 1', 'w erased'],
  });
});

test('an amendment keeps what was bought before, without its reason', () => {
  const { items, costs: paid, coupons } = order;
  const amendment = { id: 'amd_1', reason: 'Ada is ill', before: { items, costs: paid, coupons } };
  const { items: sold, coupons: redeemed } = erasedOrder(order, [], 'erased_1');
  expect(erasedAmendment(amendment)).toEqual({ id: 'amd_1', before: { items: sold, costs, coupons: redeemed } });
});

test('a pending amendment writes no more about the customer than its order has', () => {
  const { items, costs: paid, coupons, claims } = order;
  const erased = erasedOrder(order, ['ada'], 'erased_1');
  expect(erasedChange({ items, costs: paid, coupons, claims, seats: 2 }, ['ada'], 'erased_1')).toEqual({
    items: erased.items,
    costs: erased.costs,
    coupons: erased.coupons,
    claims: erased.claims,
    seats: 2,
  });
});
