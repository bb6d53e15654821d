import type { components } from '@event-commerce/client';
import { isCurrency, minorUnitsOf, typedAmount } from '../shell/format.ts';
import { instantOf, localOf } from '../shell/zoned-time.ts';

type Schemas = components['schemas'];
type Adjustment = Schemas['Adjustment'];
type EffectInput = Schemas['EffectInput'];
type Conditions = NonNullable<Schemas['AdjustmentPatch']['conditions']>;

/** The kinds of effect that the form can write; others are shown, and stay as they are. */
export const KINDS = [
  'percentage_off',
  'amount_off',
  'fixed_price',
  'percentage_surcharge',
  'amount_surcharge',
  'buy_x_get_y',
] as const;
export type Kind = (typeof KINDS)[number];

/** An adjustment as the form holds it: everything as typed, empty where there is nothing. */
export interface Draft {
  name: string;
  category: string;
  /** `other`: an effect that the form cannot write. */
  kind: Kind | 'other';
  percent: string;
  amount: string;
  currency: string;
  per: 'unit' | 'order';
  buy: string;
  get: string;
  stacking: Adjustment['stacking'];
  /** The event it is for; empty, every event. `other`: targets that the form cannot write. */
  eventId: string;
  offeringId: string;
  code: string;
  /** Local time in `zone`. */
  startsAt: string;
  endsAt: string;
  zone: string;
  minQuantity: string;
  minOrderTotal: string;
  segments: string;
  maxRedemptions: string;
  maxPerCustomer: string;
}

export const OTHER_TARGETS = 'other';

export const NEW_DRAFT: Draft = {
  name: '',
  category: '',
  kind: 'percentage_off',
  percent: '10',
  amount: '5.00',
  currency: 'EUR',
  per: 'unit',
  buy: '2',
  get: '1',
  stacking: 'stackable',
  eventId: '',
  offeringId: '',
  code: '',
  startsAt: '',
  endsAt: '',
  zone: 'UTC',
  minQuantity: '',
  minOrderTotal: '',
  segments: '',
  maxRedemptions: '',
  maxPerCustomer: '',
};

/** `zoneOf` tells in which zone an event's times are shown. */
export function draftOf(adjustment: Adjustment, zoneOf: (eventId: string) => string): Draft {
  const { name, category, stacking, conditions, effect, targets } = adjustment;
  const currency = currencyOf(effect) ?? conditions.minOrderTotal?.currency ?? 'EUR';
  const place = placeOf(targets);
  const zone = zoneOf(place.eventId);
  const local = (instant: string | undefined) => (instant === undefined ? '' : localOf(instant, zone));
  return {
    ...NEW_DRAFT,
    ...fieldsOfEffect(effect),
    ...place,
    zone,
    name,
    category,
    stacking,
    currency,
    code: conditions.code ?? '',
    startsAt: local(conditions.startsAt),
    endsAt: local(conditions.endsAt),
    minQuantity: typed(conditions.minQuantity),
    minOrderTotal: conditions.minOrderTotal === undefined ? '' : typedAmount(conditions.minOrderTotal.amount, currency),
    segments: (conditions.customerSegments ?? []).join(', '),
    maxRedemptions: typed(conditions.maxRedemptions),
    maxPerCustomer: typed(conditions.maxRedemptionsPerCustomer),
  };
}

/** What is wrong with a field, by its name. */
export type Problems = Partial<Record<keyof Draft, string>>;

/** What cannot be sent, and what to write instead. The platform's own rules are left to the platform. */
export function problemsOf(draft: Draft): Problems {
  const problems: Problems = {};
  const whole = (field: keyof Draft, min: number) => {
    const value = draft[field];
    if (value !== '' && !(/^\d+$/.test(value) && Number(value) >= min))
      problems[field] = `Write a whole number, ${min} or more.`;
  };
  const usesPercent = draft.kind === 'percentage_off' || draft.kind === 'percentage_surcharge';
  if (usesPercent && !(Number(draft.percent) > 0)) problems.percent = 'Write a percentage, such as 12.5.';
  if (!isCurrency(draft.currency)) problems.currency = 'Three letters, such as EUR.';
  else {
    const usesAmount = ['amount_off', 'fixed_price', 'amount_surcharge'].includes(draft.kind);
    const example = `Write an amount in ${draft.currency}, such as 5.`;
    if (usesAmount && minorUnitsOf(draft.amount, draft.currency) === undefined) problems.amount = example;
    if (draft.minOrderTotal !== '' && minorUnitsOf(draft.minOrderTotal, draft.currency) === undefined) {
      problems.minOrderTotal = example;
    }
  }
  if (draft.kind === 'buy_x_get_y') {
    for (const field of ['buy', 'get'] as const) {
      if (draft[field] === '') problems[field] = 'Write a whole number, 1 or more.';
      else whole(field, 1);
    }
  }
  whole('minQuantity', 1);
  whole('maxRedemptions', 0);
  whole('maxPerCustomer', 0);
  return problems;
}

/** The body that creates what a draft without problems says. */
export function creationOf(draft: Draft): Schemas['AdjustmentInput'] {
  const { name, category, stacking, code } = draft;
  const given = Object.entries(conditionsOf(draft)).filter(([, value]) => value !== null);
  return {
    ...(name.trim() === '' ? {} : { name }),
    ...(category.trim() === '' ? {} : { category }),
    ...(code.trim() === '' ? {} : { type: 'coupon' }),
    stacking,
    targets: targetsOf(draft) ?? [],
    effect: effectOf(draft) as EffectInput,
    conditions: Object.fromEntries(given) as Schemas['ConditionsInput'],
  };
}

/** The body that changes an adjustment to what a draft without problems says; what the form cannot write is left out. */
export function changeOf(draft: Draft, before: Adjustment): Schemas['AdjustmentPatch'] {
  const effect = effectOf(draft);
  const targets = targetsOf(draft);
  const kept = before.effect.maxAmount === undefined ? {} : { maxAmount: before.effect.maxAmount };
  return {
    name: draft.name.trim() || null,
    category: draft.category.trim() || null,
    stacking: draft.stacking,
    conditions: conditionsOf(draft),
    ...(targets === undefined ? {} : { targets }),
    ...(effect === undefined ? {} : { effect: { ...kept, ...effect } }),
  };
}

function conditionsOf(draft: Draft): Conditions {
  const { currency, zone } = draft;
  const minOrderTotal = draft.minOrderTotal === '' ? undefined : minorUnitsOf(draft.minOrderTotal, currency);
  const segments = draft.segments.split(',').map((segment) => segment.trim());
  const named = segments.filter((segment) => segment !== '');
  return {
    code: draft.code.trim() || null,
    startsAt: instantOf(draft.startsAt, zone) ?? null,
    endsAt: instantOf(draft.endsAt, zone) ?? null,
    minQuantity: numberOf(draft.minQuantity),
    minOrderTotal: minOrderTotal === undefined ? null : { amount: minOrderTotal, currency },
    customerSegments: named.length === 0 ? null : named,
    maxRedemptions: numberOf(draft.maxRedemptions),
    maxRedemptionsPerCustomer: numberOf(draft.maxPerCustomer),
  };
}

function effectOf({ kind, percent, amount, currency, per, buy, get }: Draft): EffectInput | undefined {
  if (kind === 'other') return undefined;
  if (kind === 'percentage_off' || kind === 'percentage_surcharge') return { kind, percent: Number(percent), per };
  if (kind === 'buy_x_get_y') return { kind, buy: Number(buy), get: Number(get), percent: Number(percent) };
  return { kind, amount: minorUnitsOf(amount, currency) ?? 0, currency, per };
}

function fieldsOfEffect(effect: Adjustment['effect']): Partial<Draft> {
  switch (effect.kind) {
    case 'tiered':
      return { kind: 'other' };
    case 'buy_x_get_y':
      return { kind: effect.kind, buy: String(effect.buy), get: String(effect.get), percent: String(effect.percent) };
    case 'percentage_off':
    case 'percentage_surcharge':
      return { kind: effect.kind, percent: String(effect.percent), per: effect.per };
    case 'amount_off':
    case 'fixed_price':
    case 'amount_surcharge': {
      // An amount without a currency is minor units of any: the form would give it one.
      if (effect.currency === undefined) return { kind: 'other' };
      return { kind: effect.kind, amount: typedAmount(effect.amount, effect.currency), per: effect.per };
    }
    default:
      return effect satisfies never;
  }
}

function targetsOf({ eventId, offeringId }: Draft): Schemas['TargetInput'][] | undefined {
  if (eventId === OTHER_TARGETS) return undefined;
  // The platform sets the company in the urn.
  if (eventId === '') return [{ urn: 'urn:v1::events:event/*' }];
  return [{ eventId, ...(offeringId === '' ? {} : { offeringId }) }];
}

function placeOf(targets: Adjustment['targets']): Pick<Draft, 'eventId' | 'offeringId'> {
  const [only] = targets;
  if (targets.length !== 1 || only === undefined) return { eventId: OTHER_TARGETS, offeringId: '' };
  if (only.eventId !== undefined) return { eventId: only.eventId, offeringId: only.offeringId ?? '' };
  const everywhere = only.urn.endsWith(':event/*') && only.offeringId === undefined;
  return { eventId: everywhere ? '' : OTHER_TARGETS, offeringId: '' };
}

function currencyOf(effect: Adjustment['effect']): string | undefined {
  return 'currency' in effect ? effect.currency : undefined;
}

function numberOf(value: string): number | null {
  return value === '' ? null : Number(value);
}

function typed(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
