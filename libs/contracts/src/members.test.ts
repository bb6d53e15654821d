import { describe, expect, it } from 'vitest';
import {
  adjustmentInput,
  adjustmentPatch,
  cartSessionInput,
  couponInput,
  couponListQuery,
  evaluateRequest,
  eventInput,
  orderListQuery,
  orderRequest,
  readMembers,
} from './index.ts';

const found = (schema: Parameters<typeof readMembers>[0], input: unknown) =>
  readMembers(schema, input).map(({ path, message }) => `${path.join('.')} ${message}`);

describe('a misspelt member', () => {
  it.each([
    ['a coupon', couponInput, { limt: 5 }, 'limt', 'limit'],
    ['a coupon, with two letters swapped', couponInput, { limti: 5 }, 'limti', 'limit'],
    ['a coupon, in another spelling', couponInput, { percent_off: 5 }, 'percent_off', 'percentOff'],
    ['a coupon, with two edits', couponInput, { discrption: 'x' }, 'discrption', 'description'],
    ['an event', eventInput, { startAt: 'x' }, 'startAt', 'startsAt'],
    ['a cart', cartSessionInput, { items: [{ offeringID: 'a', quantiy: 1 }] }, 'items.0.quantiy', 'quantity'],
    ['an order item', orderRequest, { order: { items: [{ quantty: 2 }] } }, 'order.items.0.quantty', 'quantity'],
    ['a tier', adjustmentInput, tiers({ minQantity: 2 }), 'effect.tiers.0.minQantity', 'minQuantity'],
    ['a query', couponListQuery, { limt: '5' }, 'limt', 'limit'],
    ['a query with an operator', couponListQuery, { 'code[$gt]': '' }, 'code[$gt]', 'code'],
  ])('of %s is refused with the name that was meant', (_what, schema, input, path, meant) => {
    expect(found(schema, input)).toContain(`${path} is unknown here; did you mean ${meant}?`);
  });

  it.each([
    ['a coupon', couponInput, { startsAt: 'x' }, 'startsAt', 'conditions.startsAt of a price adjustment'],
    ['a coupon', couponInput, { minQuantity: 4 }, 'minQuantity', 'conditions.minQuantity of a price adjustment'],
    ['an adjustment', adjustmentInput, { maxRedemptions: 5 }, 'maxRedemptions', 'conditions.maxRedemptions'],
    ['an adjustment', adjustmentInput, { limit: 5 }, 'limit', 'conditions.maxRedemptions'],
    ['a patch', adjustmentPatch, { percent: 5 }, 'percent', 'effect.percent'],
    ['an evaluation', evaluateRequest, { quantity: 5 }, 'quantity', 'cartContext.quantity'],
    ['a cart context', evaluateRequest, { cartContext: { coupons: [] } }, 'cartContext.coupons', 'codes'],
  ])('that belongs elsewhere is refused in %s with its place', (_what, schema, input, path, meant) => {
    expect(found(schema, input)).toEqual([`${path} is unknown here; did you mean ${meant}?`]);
  });
});

describe('an unknown member', () => {
  it('is refused where money decides', () => {
    const input = { conditions: { colour: 'red' }, targets: [{ event: 'evt_1' }], ...tiers({}) };
    expect(found(adjustmentInput, { ...input, effect: { ...input.effect, colour: 1 } })).toEqual([
      expect.stringMatching(/^conditions\.colour is unknown here; valid names are code, startsAt, .*$/),
      'targets.0.event is unknown here; valid names are urn, eventId, offeringId and companyId',
      'effect.colour is unknown here; valid names are kind, tiers, currency, per and maxAmount',
    ]);
  });

  it('is ignored elsewhere, also when the same record was answered with it', () => {
    expect(found(couponInput, { colour: 'red', id: 'x', companyId: 'x', quantitySold: 1, created: 'x' })).toEqual([]);
    expect(found(adjustmentInput, { id: 'x', created: 'x', changed: 'x', couponId: 'x' })).toEqual([]);
    expect(found(cartSessionInput, { items: [{ offeringId: 'a', quantity: 1, unitPrice: 5, priced: true }] })).toEqual(
      [],
    );
  });

  it('of a list is refused where it is no filter of what is listed, and always where people are', () => {
    expect(found(couponListQuery, { percentOff: '5', utm_source: 'x' })).toEqual([
      'percentOff is unknown here; valid names are limit, cursor, code, status, contextId and q',
    ]);
    expect(found(orderListQuery, { customer: 'cus_2', utm_source: 'x' })).toEqual([
      'customer is unknown here; did you mean customerId?',
      expect.stringContaining('utm_source is unknown here'),
    ]);
  });

  it('costs no time, however many there are and however long', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`maxRedemption${n}`, 1]));
    const started = performance.now();
    expect(found(couponInput, many).at(-1)).toContain('more than 500 different members');
    expect(found(couponInput, { ['x'.repeat(750_000)]: 1 })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('null', () => {
  it('is absence for an optional member, and stays what it is where it removes or is not allowed', () => {
    const cart = { contextId: null, items: [{ offeringId: null, quantity: 1, name: null }] };
    readMembers(cartSessionInput, cart);
    expect(cart).toEqual({ items: [{ offeringId: null, quantity: 1 }] });
    const patch = { name: null, effect: null, conditions: { code: null } };
    readMembers(adjustmentPatch, patch);
    expect(patch).toEqual({ name: null, effect: null, conditions: { code: null } });
    expect(
      adjustmentPatch.safeParse(patch).error?.issues.map(({ path, message }) => `${path.join()} ${message}`),
    ).toEqual(['effect must be an object']);
  });
});

function tiers(extra: object) {
  return { effect: { kind: 'tiered', tiers: [{ minQuantity: 1, percent: 5, ...extra }] } };
}
