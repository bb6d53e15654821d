import { describe, expect, it } from 'vitest';
import {
  adjustmentInput,
  adjustmentListQuery,
  adjustmentPatch,
  cartListQuery,
  cartSessionInput,
  couponInput,
  couponListQuery,
  createKeyBody,
  evaluateRequest,
  eventInput,
  eventPatch,
  eventQuery,
  orderListQuery,
  orderPatch,
  orderRequest,
  offeringInput,
  offeringPatch,
  readMembers,
  reopenOrderInput,
  rotateKeyBody,
} from '../index.ts';

const found = (schema: Parameters<typeof readMembers>[0], input: unknown) =>
  readMembers(schema, input).map(({ path, message }) => `${path.join('.')} ${message}`);

describe('an empty text', () => {
  const read = (schema: Parameters<typeof readMembers>[0], input: object) => {
    expect(readMembers(schema, input)).toEqual([]);
    return input;
  };

  it.each([
    ['an id', orderRequest, { order: { uid: '', customer: { id: '', phone: '', note: '' } } }],
    ['a text', eventInput, { name: 'Gala', description: '', venueId: '', startsAt: '', timezone: '' }],
    ['a code', couponInput, { code: '', description: '', expiresAt: '' }],
    ['a filter', orderListQuery, { q: '', email: '', from: '' }],
  ])('for %s that is optional is absence', (_what, schema, input) => {
    expect(JSON.stringify(read(schema, structuredClone(input)))).toBe(
      JSON.stringify(input, (key, value: unknown) => (value === '' && key !== 'note' ? undefined : value)),
    );
  });

  it('removes its member in a merge patch, unless that is required', () => {
    expect(read(eventPatch, { description: '', name: '' })).toEqual({ description: null, name: null });
    expect(read(offeringPatch, { name: '', onSaleUntil: '' })).toEqual({ name: '', onSaleUntil: null });
    expect(read(orderPatch, { customer: { firstName: '', email: '' }, meta: { a: '' } })).toEqual({
      customer: { firstName: null, email: '' },
      meta: { a: '' },
    });
  });

  it('stays if it is required, or if only certain words are accepted', () => {
    const order = { orderNumber: '', currency: '', customer: { email: '' } };
    expect(read(orderRequest, { order: structuredClone(order) })).toEqual({ order });
    expect(read(eventInput, { name: '', status: '' })).toEqual({ status: '' });
  });
});

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
    ['an order', orderRequest, { order: { metadata: {} } }, 'order.metadata', 'meta'],
    ['an event, without Id', eventInput, { venue: 'ven_1' }, 'venue', 'venueId'],
    ['a query, by the word of another platform', couponListQuery, { starting_after: 'x' }, 'starting_after', 'cursor'],
    ['a query with an operator', couponListQuery, { 'code[$gt]': '' }, 'code[$gt]', 'code'],
  ])('of %s is refused with the name that was meant', (_what, schema, input, path, meant) => {
    expect(found(schema, input)).toContain(`${path} is unknown; did you mean ${meant}?`);
  });

  it.each([
    ['a coupon', couponInput, { percent: 20 }, 'percent', 'percentOff'],
    ['a coupon', couponInput, { amount: 500 }, 'amount', 'amountOff'],
    ['a coupon', couponInput, { buy: 2 }, 'buy', 'effect.buy'],
    ['a coupon', couponInput, { name: 'x' }, 'name', 'description'],
    ['a key', createKeyBody, { expires: '2027-01-01T00:00:00Z' }, 'expires', 'expiresAt'],
    ['an order', orderRequest, { order: { codes: ['A'] } }, 'order.codes', 'coupons'],
    ['an order', orderRequest, { order: { couponCode: 'A' } }, 'order.couponCode', 'coupons'],
    ['an order', orderRequest, { order: { sessionId: 'x' } }, 'order.sessionId', 'cartSessionId'],
    ['an order', orderRequest, { order: { cart: 'x' } }, 'order.cart', 'cartSessionId'],
    ['an order', orderRequest, { order: { segment: 'x' } }, 'order.segment', 'customerSegment'],
    ['an order', orderRequest, { order: { eventId: 'x' } }, 'order.eventId', 'contextId'],
    ['an order', orderRequest, { order: { expiresAt: 'x' } }, 'order.expiresAt', 'expiresInSeconds'],
    ['an order', orderRequest, { order: { total: 5 } }, 'order.total', 'costs.total'],
    ['an order', orderRequest, { order: { fees: 5 } }, 'order.fees', 'costs.fees'],
    ['an order', orderRequest, { order: { offeringId: 'x' } }, 'order.offeringId', 'items[].offeringId'],
    ['an order item', orderRequest, { order: { items: [{ offerId: 'x' }] } }, 'order.items.0.offerId', 'offeringId'],
    ['an order item', orderRequest, { order: { items: [{ qty: 2 }] } }, 'order.items.0.qty', 'quantity'],
    ['an event', eventInput, { start: '2027-05-01T18:00:00Z' }, 'start', 'startsAt'],
    ['an event', eventInput, { endDate: '2027-05-01T18:00:00Z' }, 'endDate', 'endsAt'],
    ['a coupon', couponInput, { validUntil: '2027-05-01T18:00:00Z' }, 'validUntil', 'expiresAt'],
    ['a reopening', reopenOrderInput, { expiresAt: 'x' }, 'expiresAt', 'expiresInSeconds'],
    ['an adjustment', adjustmentInput, { maxRedemptions: 5 }, 'maxRedemptions', 'conditions.maxRedemptions'],
    ['an adjustment', adjustmentInput, { limit: 5 }, 'limit', 'conditions.maxRedemptions'],
    ['a patch', adjustmentPatch, { percent: 5 }, 'percent', 'effect.percent'],
    ['an evaluation', evaluateRequest, { quantity: 5 }, 'quantity', 'cartContext.quantity'],
    ['a cart context', evaluateRequest, { cartContext: { coupons: [] } }, 'cartContext.coupons', 'codes'],
    ['an order', orderRequest, { order: { lines: [] } }, 'order.lines', 'items'],
    ['an order', orderRequest, { order: { line_items: [] } }, 'order.line_items', 'items'],
    ['a cart item', cartSessionInput, { items: [{ currency: 'EUR' }] }, 'items.0.currency', 'price.currency'],
    ['a cart item', cartSessionInput, { items: [{ coupons: [] }] }, 'items.0.coupons', 'coupons of the cart session'],
    ['a cart', cartSessionInput, { quantity: 2 }, 'quantity', 'items[].quantity'],
    ['an event', eventInput, { seats: 100 }, 'seats', 'capacity'],
    ['an event', eventInput, { price: 100 }, 'price', 'price of an offering'],
    ['an offering', offeringInput, { startsAt: 'x' }, 'startsAt', 'onSaleFrom'],
  ])('that belongs elsewhere is refused in %s with its place', (_what, schema, input, path, meant) => {
    expect(found(schema, input)).toEqual([`${path} is unknown; did you mean ${meant}?`]);
  });
});

describe('what other platforms call a limit, a time or a rule', () => {
  it.each([
    ['maxUsesPerCustomer', 'maxRedemptionsPerCustomer', 'conditions.maxRedemptionsPerCustomer'],
    ['perCustomer', 'maxRedemptionsPerCustomer', 'conditions.maxRedemptionsPerCustomer'],
    ['usageLimit', 'limit', 'conditions.maxRedemptions'],
    ['redemption_limit', 'limit', 'conditions.maxRedemptions'],
    ['validFrom', 'startsAt', 'conditions.startsAt'],
    ['validUntil', 'expiresAt', 'conditions.endsAt'],
    ['endDate', 'expiresAt', 'conditions.endsAt'],
    ['minimumAmount', 'minOrderTotal', 'conditions.minOrderTotal'],
    ['segments', 'customerSegments', 'conditions.customerSegments'],
    ['exclusive', 'stacking', 'stacking'],
    ['stackable', 'stacking', 'stacking'],
  ])('is refused with our name for it: %s of a coupon and of an adjustment', (name, ofCoupon, ofAdjustment) => {
    const meant = (place: string) => [`${name} is unknown; did you mean ${place}?`];
    expect(found(couponInput, { [name]: 1 })).toEqual(meant(ofCoupon));
    expect(found(adjustmentInput, { [name]: 1 })).toEqual(meant(ofAdjustment));
    expect(found(adjustmentPatch, { [name]: 1 })).toEqual(meant(ofAdjustment));
  });

  it.each([
    ['stock', 'capacity'],
    ['quantity', 'capacity'],
    ['seats', 'capacity'],
    ['onSaleTo', 'onSaleUntil'],
    ['saleEndsAt', 'onSaleUntil'],
    ['maxQuantity', 'maxPerOrder'],
  ])('is refused with our name for it: %s of an offering', (name, meant) => {
    for (const schema of [offeringInput, offeringPatch]) {
      expect(found(schema, { [name]: 1 })).toEqual([`${name} is unknown; did you mean ${meant}?`]);
    }
  });

  it('is refused with our name for it in conditions', () => {
    expect(found(adjustmentInput, { conditions: { validFrom: 'x' } })).toEqual([
      'conditions.validFrom is unknown; did you mean startsAt?',
    ]);
  });
});

describe('an unknown member', () => {
  it.each(['overlap', 'overlapHours', 'gracePeriod'])('is refused where a key would end at once: %s', (name) => {
    expect(found(rotateKeyBody, { [name]: '24h' })).toEqual([`${name} is unknown; valid names are overlapSeconds`]);
  });

  it('is refused where money depends on it', () => {
    const input = { conditions: { colour: 'red' }, targets: [{ place: 'evt_1' }], ...tiers({}) };
    expect(found(adjustmentInput, { ...input, effect: { ...input.effect, colour: 1 } })).toEqual([
      expect.stringMatching(/^conditions\.colour is unknown; valid names are code, uniqueCodes, startsAt, .*$/),
      'targets.0.place is unknown; valid names are urn, eventId, offeringId and companyId',
      'effect.colour is unknown; valid names are kind, tiers, currency, per, maxAmount and units',
    ]);
  });

  it('is ignored elsewhere, including one that the same record was returned with', () => {
    expect(found(couponInput, { colour: 'red', id: 'x', companyId: 'x', quantitySold: 1, created: 'x' })).toEqual([]);
    expect(found(orderRequest, { order: { items: [{ sku: 'x', priceId: 'x' }] } })).toEqual([]);
    expect(found(orderRequest, { order: { items: [{ offeringId: 'a', unitPrice: 5, priced: true }] } })).toEqual([]);
    expect(found(adjustmentInput, { id: 'x', created: 'x', changed: 'x', couponId: 'x' })).toEqual([]);
    expect(found(cartSessionInput, { items: [{ offeringId: 'a', quantity: 1, unitPrice: 5, priced: true }] })).toEqual(
      [],
    );
  });

  it('of a response is ignored when creating a record from it', () => {
    expect(found(createKeyBody, { id: 'key_1', expires: null, revoked: null })).toEqual([]);
    expect(found(orderRequest, { order: { id: 'ord_1', version: 1, createdAt: 'x', pricing: {} } })).toEqual([]);
  });

  it('of a list is refused if it is mistaken for a filter, and always if people are listed', () => {
    const valid = (names: string) => `is unknown; valid names are limit, cursor, ${names}`;
    expect(found(couponListQuery, { percentOff: '5', utm_source: 'x', _: '1' })).toEqual([
      `percentOff ${valid('code, status, contextId and q')}`,
    ]);
    expect(found(couponListQuery, { from: 'x', sort: 'x', offeringId: 'x' })).toEqual(
      ['from', 'sort', 'offeringId'].map((name) => `${name} ${valid('code, status, contextId and q')}`),
    );
    expect(found(adjustmentListQuery, { customerSegment: 'x', target: 'x', venueId: 'x' })).toHaveLength(3);
    expect(found(eventQuery, { tag: 'x', eventId: 'x' })).toHaveLength(2);
    expect(found(cartListQuery, { customer: 'x', coupon: 'x', q: 'x' })).toHaveLength(3);
    expect(found(orderListQuery, { customer: 'cus_2', utm_source: 'x' })).toEqual([
      'customer is unknown; did you mean customerId?',
      expect.stringContaining('utm_source is unknown'),
    ]);
  });

  it('takes no time, however many there are and however long', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`maxRedemption${n}`, 1]));
    const before = process.threadCpuUsage();
    expect(found(couponInput, many).at(-1)).toContain('more than 500 different members');
    expect(found(couponInput, { ['x'.repeat(750_000)]: 1 })).toEqual([]);
    const { user, system } = process.threadCpuUsage(before);
    // Comparing all of them with the known names takes seconds.
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

describe('null', () => {
  it('means absent for an optional member, and is kept where it removes or is not allowed', () => {
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
