import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { changeOf, creationOf, draftOf, NEW_DRAFT, OTHER_TARGETS, problemsOf } from './draft.ts';

type Adjustment = components['schemas']['Adjustment'];

const adjustment: Adjustment = {
  id: 'adj_1',
  companyId: 'co',
  name: 'Summer sale',
  type: 'coupon',
  category: 'discount-coupon',
  origin: 'manual',
  application: 'at-checkout',
  stacking: 'replace-within-category',
  effectBase: 'list-price',
  priority: 0,
  targets: [{ urn: 'urn:v1:co:events:event/evt_1', eventId: 'evt_1', companyId: 'co' }],
  conditions: {
    code: 'SUMMER20',
    startsAt: '2027-06-01T10:00:00.000Z',
    minQuantity: 2,
    minOrderTotal: { amount: 10_050, currency: 'EUR' },
    customerSegments: ['member', 'press'],
    maxRedemptions: 100,
  },
  effect: { kind: 'amount_off', amount: 550, currency: 'EUR', per: 'unit', maxAmount: 500 },
  status: 'active',
  created: '2027-01-01T00:00:00.000Z',
  changed: '2027-01-01T00:00:00.000Z',
};

const berlin = () => 'Europe/Berlin';

it('what is not touched is sent as it was', () => {
  const { name, category, stacking, conditions, effect } = adjustment;
  expect(changeOf(draftOf(adjustment, berlin), adjustment)).toEqual({
    name,
    category,
    stacking,
    effect,
    targets: [{ eventId: 'evt_1' }],
    conditions: { ...conditions, endsAt: null, maxRedemptionsPerCustomer: null },
  });
});

it('an emptied field is removed', () => {
  const { conditions } = changeOf({ ...draftOf(adjustment, berlin), minQuantity: '', segments: ' ' }, adjustment);
  expect(conditions).toMatchObject({ minQuantity: null, customerSegments: null, maxRedemptions: 100 });
});

it('effects and targets that the form cannot write stay as they are', () => {
  const tiered: Adjustment = {
    ...adjustment,
    effect: { kind: 'tiered', tiers: [{ minQuantity: 4, percent: 10 }], per: 'unit' },
    targets: [{ urn: 'urn:v1:co:events:venue/ven_1', companyId: 'co' }],
  };
  const draft = draftOf(tiered, berlin);
  expect([draft.kind, draft.eventId]).toEqual(['other', OTHER_TARGETS]);
  expect(Object.keys(changeOf(draft, tiered)).toSorted()).toEqual(['category', 'conditions', 'name', 'stacking']);
});

it('a new campaign with a code is a coupon; what is empty is left out', () => {
  expect(creationOf({ ...NEW_DRAFT, code: ' early ' })).toEqual({
    type: 'coupon',
    stacking: 'stackable',
    targets: [{ urn: 'urn:v1::events:event/*' }],
    effect: { kind: 'percentage_off', percent: 10, per: 'unit' },
    conditions: { code: 'early' },
  });
});

it('says what to write instead of what cannot be sent', () => {
  expect(problemsOf(NEW_DRAFT)).toEqual({});
  expect(Object.keys(problemsOf({ ...NEW_DRAFT, percent: 'ten', minQuantity: '1.5', maxRedemptions: '-1' }))).toEqual([
    'percent',
    'minQuantity',
    'maxRedemptions',
  ]);
  expect(problemsOf({ ...NEW_DRAFT, kind: 'fixed_price', amount: '5.999' })).toEqual({
    amount: 'Write an amount in EUR, such as 5.',
  });
});
