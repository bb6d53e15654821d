import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { changeOf, creationOf, draftOf, NEW_DRAFT, problemsOf, proposalOf } from './draft.ts';

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
  const { name, category, stacking, application, effectBase, priority, conditions, effect } = adjustment;
  const { targets, ...change } = changeOf(draftOf(adjustment, berlin), adjustment);
  const empty = Object.fromEntries(
    ['endsAt', 'maxQuantity', 'maxOrderTotal', 'channelIds', 'tags', 'maxRedemptionsPerCustomer'].map((key) => [
      key,
      null,
    ]),
  );
  const rest = { name, category, stacking, application, effectBase, priority, effect };
  expect(change).toEqual({ ...rest, conditions: { ...conditions, ...empty } });
  expect(targets).toEqual([{ urn: 'urn:v1::events:event/evt_1' }]);
});

it.each<Adjustment['targets'][number]>([
  { urn: 'urn:v1:co:events:event/*', companyId: 'co' },
  { urn: 'urn:v1:c:o:events:venue/ven/1', companyId: 'c:o' },
  { urn: 'urn:v1:co:events:series/s_1', offeringId: 'off_1', companyId: 'co' },
])('a target $urn stays what it is', (target) => {
  const [sent] = changeOf(draftOf({ ...adjustment, targets: [target] }, berlin), adjustment).targets ?? [];
  expect(sent?.offeringId).toBe(target.offeringId);
  expect(target.urn.endsWith(sent?.urn?.replace('urn:v1::', ':') ?? 'none')).toBe(true);
});

it('an emptied field is removed', () => {
  const { conditions } = changeOf({ ...draftOf(adjustment, berlin), minQuantity: '', segments: ' ' }, adjustment);
  expect(conditions).toMatchObject({ minQuantity: null, customerSegments: null, maxRedemptions: 100 });
  expect(changeOf({ ...draftOf(adjustment, berlin), maxAmount: '' }, adjustment).effect).toMatchObject({
    maxAmount: null,
  });
});

it.each<Adjustment['effect']>([
  { kind: 'tiered', tiers: [{ minQuantity: 4, percent: 10 }], per: 'order', maxAmount: 2_000 },
  { kind: 'tiered', tiers: [{ minQuantity: 4, amount: 150 }], currency: 'EUR', per: 'unit' },
  { kind: 'buy_x_get_y', buy: 3, get: 1, percent: 50, per: 'order' },
  { kind: 'fixed_price', amount: 2_500, currency: 'EUR', per: 'unit' },
])('an effect %j is written as it is', (effect) => {
  const { effect: sent } = changeOf(draftOf({ ...adjustment, effect }, berlin), adjustment);
  const given = Object.entries({ per: 'order', ...sent }).filter(([, value]) => value !== null);
  expect(Object.fromEntries(given)).toEqual(effect);
});

it('an effect that the form cannot write stays as it is', () => {
  const mixed: Adjustment = {
    ...adjustment,
    effect: {
      kind: 'tiered',
      tiers: [
        { minQuantity: 2, percent: 10 },
        { minQuantity: 4, amount: 10 },
      ],
      currency: 'EUR',
      per: 'unit',
    },
  };
  const draft = draftOf(mixed, berlin);
  expect(draft.kind).toBe('other');
  expect(changeOf(draft, mixed)).not.toHaveProperty('effect');
  expect(proposalOf(draft, mixed)).toMatchObject({ id: 'adj_1', type: 'coupon', effect: mixed.effect });
});

it('a new campaign with a code is a coupon; what is empty is left out', () => {
  expect(creationOf({ ...NEW_DRAFT, code: ' early ' })).toEqual({
    type: 'coupon',
    stacking: 'stackable',
    application: 'at-checkout',
    effectBase: 'list-price',
    priority: 0,
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
    amount: 'Enter an amount in EUR, such as 5.',
  });
});
