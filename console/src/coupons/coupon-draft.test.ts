import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import {
  adjustmentOfCoupon,
  couponBodyOf,
  couponChangeOf,
  couponDraftOf,
  couponProblems,
  NEW_COUPON,
} from './coupon-draft.ts';

const coupon: components['schemas']['Coupon'] = {
  id: 'cpn_1',
  companyId: 'co',
  code: 'EARLY5',
  amountOff: 500,
  limit: 100,
  quantitySold: 3,
  offeringIds: ['off_1', 'off_2'],
  contextIds: ['evt_1', 'ven_1'],
  expiresAt: '2027-06-30T22:00:00.000Z',
  status: 'active',
  version: 3,
  created: '2027-01-01T00:00:00.000Z',
  changed: '2027-01-01T00:00:00.000Z',
};

it('the form holds everything that it can change', () => {
  const { code, amountOff, limit, offeringIds, contextIds, expiresAt } = coupon;
  expect(couponBodyOf(couponDraftOf(coupon, 'Europe/Berlin'))).toEqual({
    code,
    uniqueCodes: null,
    amountOff,
    limit,
    budgetId: null,
    offeringIds,
    contextIds,
    expiresAt,
    currency: null,
    description: null,
    percentOff: null,
    per: 'unit',
  });
});

it('only what was changed is sent', () => {
  const saved = couponDraftOf({ ...coupon, expiresAt: '2027-06-30T21:59:59.999Z' }, 'Europe/Berlin');
  expect(couponChangeOf(saved, saved)).toEqual({});
  expect(couponChangeOf({ ...saved, limit: '' }, saved)).toEqual({ limit: null });
});

it('its adjustment has its places, offerings, limit and end', () => {
  expect(adjustmentOfCoupon(couponDraftOf(coupon, 'UTC'), undefined)).toMatchObject({
    name: 'EARLY5',
    targets: [{ urn: 'urn:v1::events:event/evt_1' }, { urn: 'urn:v1::events:venue/ven_1' }],
    conditions: { code: 'EARLY5', offeringIds: ['off_1', 'off_2'], maxRedemptions: 100, endsAt: coupon.expiresAt },
    effect: { kind: 'amount_off', amount: 500, per: 'unit' },
  });
});

it('a coupon worth its amount once per order is sent and tried out as that', () => {
  const draft = couponDraftOf({ ...coupon, per: 'order' }, 'UTC');
  expect(couponBodyOf(draft)).toMatchObject({ amountOff: 500, per: 'order' });
  expect(adjustmentOfCoupon(draft, undefined).effect).toMatchObject({ amount: 500, per: 'order' });
});

it('an effect and conditions that the form does not know are left as they are, and tried out', () => {
  const effect = { kind: 'fixed_price', amount: 1_500, currency: 'EUR', per: 'unit' } as const;
  const { amountOff: _, ...others } = coupon;
  const saved = couponDraftOf({ ...others, effect, minQuantity: 2 }, 'UTC');
  expect(couponProblems(saved)).toEqual({});
  expect(couponChangeOf({ ...saved, limit: '7' }, saved)).toEqual({ limit: 7 });
  const adjustment = { id: 'adj_1', category: 'gala', stacking: 'exclusive', priority: 3, effectBase: 'list-price' };
  const kept = { ...adjustment, effect, conditions: { minQuantity: 2, maxRedemptions: 100 } };
  const proposed = adjustmentOfCoupon({ ...saved, limit: '' }, kept as unknown as components['schemas']['Adjustment']);
  expect(proposed).toMatchObject({ ...adjustment, effect, conditions: { minQuantity: 2 } });
  expect(proposed.conditions).not.toHaveProperty('maxRedemptions');
  const percent = { ...saved, off: 'percent', percent: '10' } as const;
  expect(couponChangeOf(percent, saved)).toMatchObject({ percentOff: 10 });
});

it('a new coupon needs a code and a discount', () => {
  expect(Object.keys(couponProblems({ ...NEW_COUPON, percent: '0' }))).toEqual(['code', 'percent']);
});
