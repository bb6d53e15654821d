import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { openOn } from './window-fields.tsx';
import { changeOf, creationOf, draftOf, filledIn, GROUPS, NEW_DRAFT, problemsOf, proposalOf } from './draft.ts';

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
    recurring: [{ days: ['mon'], from: '17:00', to: '19:00', timezone: 'Europe/Berlin' }],
    minQuantity: 2,
    minOrderTotal: { amount: 10_050, currency: 'EUR' },
    customerSegments: ['member', 'press'],
    maxRedemptions: 100,
    maxTickets: 300,
    maxTicketsPerCustomer: 4,
    perCustomerBy: 'email',
    budgetId: 'bud_1',
  },
  effect: {
    kind: 'amount_off',
    amount: 550,
    currency: 'EUR',
    per: 'unit',
    maxAmount: 500,
    units: { max: 2, pick: 'dearest' },
  },
  status: 'active',
  version: 3,
  created: '2027-01-01T00:00:00.000Z',
  changed: '2027-01-01T00:00:00.000Z',
};

const berlin = () => 'Europe/Berlin';

it('the form holds everything that it can change', () => {
  const { name, category, stacking, application, effectBase, priority, conditions, effect } = adjustment;
  const { targets, ...proposed } = proposalOf(draftOf(adjustment, berlin), adjustment);
  const rest = { id: 'adj_1', type: 'coupon', origin: 'manual', name, category, stacking, application };
  expect(proposed).toEqual({ ...rest, effectBase, priority, conditions, effect });
  expect(targets).toEqual([{ urn: 'urn:v1::events:event/evt_1' }]);
});

it('only what was changed is sent', () => {
  // Times that the form cannot hold: with seconds, and in the second of two hours with one name.
  const times = { startsAt: '2027-10-31T01:30:00.000Z', endsAt: '2027-11-30T22:59:59.999Z' };
  const saved = draftOf({ ...adjustment, conditions: { ...adjustment.conditions, ...times } }, berlin);
  expect(changeOf(saved, saved)).toEqual({ conditions: {}, effect: {} });
  expect(changeOf({ ...saved, maxRedemptions: '50', amount: '6.00', priority: '2' }, saved)).toEqual({
    priority: 2,
    conditions: { maxRedemptions: 50 },
    effect: { amount: 600 },
  });
});

it('an effect of another kind is sent whole', () => {
  const saved = draftOf(adjustment, berlin);
  expect(changeOf({ ...saved, kind: 'percentage_off', percent: '5' }, saved).effect).toEqual({
    kind: 'percentage_off',
    percent: 5,
    currency: 'EUR',
    per: 'unit',
    maxAmount: 500,
    units: { max: 2, pick: 'dearest' },
  });
});

it.each<Adjustment['targets'][number]>([
  { urn: 'urn:v1:co:events:event/*', companyId: 'co' },
  { urn: 'urn:v1:c:o:events:venue/ven/1', companyId: 'c:o' },
  { urn: 'urn:v1:co:events:series/s_1', offeringId: 'off_1', companyId: 'co' },
])('a target $urn stays what it is', (target) => {
  const [sent] = proposalOf(draftOf({ ...adjustment, targets: [target] }, berlin), adjustment).targets ?? [];
  expect(sent?.offeringId).toBe(target.offeringId);
  expect(target.urn.endsWith(sent?.urn?.replace('urn:v1::', ':') ?? 'none')).toBe(true);
});

it('an emptied field is removed', () => {
  const saved = draftOf(adjustment, berlin);
  expect(changeOf({ ...saved, minQuantity: '', segments: ' ', maxAmount: '', unitsMax: '' }, saved)).toEqual({
    conditions: { minQuantity: null, customerSegments: null },
    effect: { maxAmount: null, units: null },
  });
});

it.each<Adjustment['effect']>([
  { kind: 'tiered', tiers: [{ minQuantity: 4, percent: 10 }], currency: 'EUR', per: 'order', maxAmount: 2_000 },
  { kind: 'percentage_off', percent: 10, currency: 'USD', per: 'unit', maxAmount: 2_000 },
  { kind: 'tiered', tiers: [{ minQuantity: 4, amount: 150 }], currency: 'EUR', per: 'unit' },
  { kind: 'buy_x_get_y', buy: 3, get: 1, percent: 50, per: 'order' },
  { kind: 'fixed_price', amount: 2_500, currency: 'EUR', per: 'unit' },
])('an effect %j is written as it is', (effect) => {
  const { effect: sent } = proposalOf(draftOf({ ...adjustment, effect }, berlin), adjustment);
  expect({ per: 'order', ...sent }).toEqual(effect);
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
  expect(changeOf({ ...draft, name: 'Sale' }, draft)).toEqual({ name: 'Sale', conditions: {}, effect: {} });
  expect(proposalOf(draft, mixed)).toMatchObject({ id: 'adj_1', type: 'coupon', effect: mixed.effect });
});

it('a new campaign with a code is a coupon; what is empty is left out', () => {
  expect(creationOf({ ...NEW_DRAFT, audience: 'code', code: ' early ' })).toEqual({
    name: 'early',
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

it('a campaign without a name is called by its code, or else by what it does', () => {
  const nameOf = (draft: Partial<typeof NEW_DRAFT>) => creationOf({ ...NEW_DRAFT, ...draft }).name;
  expect(nameOf({})).toBe('10% off each ticket');
  expect(nameOf({ kind: 'amount_off', amount: '5', per: 'order' })).toBe('€5.00 off the order');
  expect(nameOf({ kind: 'buy_x_get_y', percent: '100' })).toBe('buy 2, get 1 free');
  expect(nameOf({ code: 'EARLY' })).toBe('10% off each ticket');
  expect(nameOf({ audience: 'code', code: 'EARLY' })).toBe('EARLY');
  expect(nameOf({ name: ' Early birds ' })).toBe('Early birds');
  const saved = draftOf(adjustment, berlin);
  expect(changeOf({ ...saved, name: '' }, saved)).toMatchObject({ name: 'SUMMER20' });
});

it('a campaign for buyers with a code needs the code; one for everybody has none', () => {
  expect(problemsOf({ ...NEW_DRAFT, audience: 'code' })).toEqual({ code: 'Enter the code that buyers type.' });
  const saved = draftOf(adjustment, berlin);
  expect(saved).toMatchObject({ audience: 'code', code: 'SUMMER20' });
  expect(changeOf({ ...saved, audience: 'everybody' }, saved)).toEqual({ conditions: { code: null }, effect: {} });
});

it('groups of fields that hold something are counted, so that they are open', () => {
  const filled = (draft: typeof NEW_DRAFT) => Object.keys(GROUPS).map((group) => filledIn(group as 'buyers', draft));
  expect(filled(NEW_DRAFT)).toEqual([0, 0, 0, 0, 0]);
  expect(filled({ ...NEW_DRAFT, category: 'promotion' })).toEqual([0, 0, 0, 0, 0]);
  expect(filled(draftOf(adjustment, berlin))).toEqual([1, 4, 3, 3, 2]);
});

it('amounts without a currency are in that of the tickets', () => {
  const effect: Adjustment['effect'] = { kind: 'percentage_off', percent: 10, per: 'unit', maxAmount: 500 };
  const draft = draftOf({ ...adjustment, effect, conditions: {} }, berlin, 'JPY');
  expect(draft).toMatchObject({ currency: 'JPY', maxAmount: '500' });
  expect(creationOf({ ...draft, minOrderTotal: '1000' })).toMatchObject({
    effect: { maxAmount: 500, currency: 'JPY' },
    conditions: { minOrderTotal: { amount: 1_000, currency: 'JPY' } },
  });
});

it('says how to correct what cannot be sent', () => {
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

it('a time of the week goes on past midnight, and has days, a beginning and an end', () => {
  const late = { days: ['fri' as const], from: '22:00', to: '02:00', timezone: 'UTC' };
  const whole = { ...late, days: ['sun' as const], from: '00:00', to: '24:00' };
  expect([openOn('fri', [late, whole]), openOn('sat', [late, whole]), openOn('sun', [late, whole])]).toEqual([
    [[1_320, 1_440]],
    [[0, 120]],
    [[0, 1_440]],
  ]);
  const problem = (changed: object) => problemsOf({ ...NEW_DRAFT, recurring: [{ ...late, ...changed }] }).recurring;
  expect([problem({}), problem({ days: [] }), problem({ to: '22:00' })]).toEqual([
    undefined,
    'Choose a day for each time.',
    'Enter when each time begins and ends.',
  ]);
});
