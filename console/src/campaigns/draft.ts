import type { components } from '@event-commerce/client';
import { changedMembers } from '../data/changed-members.ts';
import { currencyOf, effectText } from '../format/effect-text.ts';
import { isCurrency, minorUnitsOf, typedAmount } from '../format/format.ts';
import { listedIn } from '../data/listed-in.ts';
import { instantOf, localOf } from '../format/zoned-time.ts';
import { effectOf, effectProblems, fieldsOfEffect, type EffectDraft, NEW_EFFECT } from './effect-draft.ts';
import type { RecurringWindow } from './window-fields.tsx';
import { EVERYWHERE, placeOf, type Place, targetOf } from './place.ts';

type Schemas = components['schemas'];
type Adjustment = Schemas['Adjustment'];
type EffectInput = Schemas['EffectInput'];
type EffectPatch = NonNullable<Schemas['AdjustmentPatch']['effect']>;
type Conditions = NonNullable<Schemas['AdjustmentPatch']['conditions']>;

/** An adjustment as the form holds it: everything as typed, empty where there is nothing. */
export interface Draft extends EffectDraft {
  name: string;
  category: string;
  stacking: Adjustment['stacking'];
  application: Adjustment['application'];
  effectBase: Adjustment['effectBase'];
  priority: string;
  places: readonly Place[];
  /** Whether everybody who meets the conditions gets it, or only buyers who enter its code. */
  audience: 'everybody' | 'code';
  code: string;
  /** Local time in `zone`. */
  startsAt: string;
  endsAt: string;
  zone: string;
  /** The times of the week at which it counts; none: at all times. */
  recurring: readonly RecurringWindow[];
  minQuantity: string;
  maxQuantity: string;
  minOrderTotal: string;
  maxOrderTotal: string;
  segments: string;
  channels: string;
  tags: string;
  maxRedemptions: string;
  maxPerCustomer: string;
  maxTickets: string;
  maxTicketsPerCustomer: string;
  /** What distinguishes customers for these limits. */
  perCustomerBy: 'id' | 'email';
  /** Empty: none. */
  budgetId: string;
}

export const NEW_DRAFT: Draft = {
  ...NEW_EFFECT,
  name: '',
  category: '',
  stacking: 'stackable',
  application: 'at-checkout',
  effectBase: 'list-price',
  priority: '0',
  places: [EVERYWHERE],
  audience: 'everybody',
  code: '',
  startsAt: '',
  endsAt: '',
  zone: 'UTC',
  recurring: [],
  minQuantity: '',
  maxQuantity: '',
  minOrderTotal: '',
  maxOrderTotal: '',
  segments: '',
  channels: '',
  tags: '',
  maxRedemptions: '',
  maxPerCustomer: '',
  maxTickets: '',
  maxTicketsPerCustomer: '',
  perCustomerBy: 'id',
  budgetId: '',
};

/** `zoneOf` returns the zone in which a place's times are shown. `soldIn` is the currency of amounts without one. */
export function draftOf(
  adjustment: Adjustment,
  zoneOf: (place: Place) => string,
  soldIn: string = NEW_EFFECT.currency,
): Draft {
  const { name, category, stacking, application, effectBase, priority, conditions, effect, targets } = adjustment;
  const { minOrderTotal, maxOrderTotal } = conditions;
  const currency = currencyOf(effect) ?? minOrderTotal?.currency ?? maxOrderTotal?.currency ?? soldIn;
  const places = targets.map(placeOf);
  const zone = zoneOf(places[0] ?? EVERYWHERE);
  const local = (instant: string | undefined) => (instant === undefined ? '' : localOf(instant, zone));
  const total = (limit: { amount: number } | undefined) =>
    limit === undefined ? '' : typedAmount(limit.amount, currency);
  return {
    ...NEW_DRAFT,
    ...fieldsOfEffect(effect, currency),
    places,
    zone,
    name,
    category,
    stacking,
    application,
    effectBase,
    currency,
    priority: String(priority),
    audience: conditions.code === undefined ? 'everybody' : 'code',
    code: conditions.code ?? '',
    startsAt: local(conditions.startsAt),
    endsAt: local(conditions.endsAt),
    recurring: conditions.recurring ?? NEW_DRAFT.recurring,
    minQuantity: typed(conditions.minQuantity),
    maxQuantity: typed(conditions.maxQuantity),
    minOrderTotal: total(minOrderTotal),
    maxOrderTotal: total(maxOrderTotal),
    segments: joined(conditions.customerSegments),
    channels: joined(conditions.channelIds),
    tags: joined(conditions.tags),
    maxRedemptions: typed(conditions.maxRedemptions),
    maxPerCustomer: typed(conditions.maxRedemptionsPerCustomer),
    maxTickets: typed(conditions.maxTickets),
    maxTicketsPerCustomer: typed(conditions.maxTicketsPerCustomer),
    perCustomerBy: conditions.perCustomerBy ?? 'id',
    budgetId: conditions.budgetId ?? '',
  };
}

/** What is wrong with a field, by its name. */
export type Problems = Partial<Record<keyof Draft, string>>;

const WHOLE = [
  'minQuantity',
  'maxQuantity',
  'maxRedemptions',
  'maxPerCustomer',
  'maxTickets',
  'maxTicketsPerCustomer',
] as const satisfies readonly (keyof Draft)[];

/** What cannot be sent, and what to write instead. The platform's own rules are left to the platform. */
export function problemsOf(draft: Draft): Problems {
  const problems: Problems = { ...effectProblems(draft) };
  const whole = (field: (typeof WHOLE)[number], min: number) => {
    const value = draft[field];
    if (value !== '' && !(/^\d+$/.test(value) && Number(value) >= min))
      problems[field] = `Enter a whole number, ${min} or more.`;
  };
  whole('minQuantity', 1);
  whole('maxQuantity', 1);
  whole('maxRedemptions', 0);
  whole('maxPerCustomer', 0);
  whole('maxTickets', 0);
  whole('maxTicketsPerCustomer', 0);
  if (draft.audience === 'code' && draft.code.trim() === '') problems.code = 'Enter the code that buyers type.';
  if (!/^-?\d{1,7}$/.test(draft.priority)) problems.priority = 'Enter a whole number, such as 0.';
  if (isCurrency(draft.currency)) {
    for (const field of ['minOrderTotal', 'maxOrderTotal'] as const) {
      if (draft[field] !== '' && minorUnitsOf(draft[field], draft.currency) === undefined)
        problems[field] = `Enter an amount in ${draft.currency}, such as 5.`;
    }
  }
  if (draft.recurring.some(({ days }) => days.length === 0)) problems.recurring = 'Choose a day for each time.';
  else if (draft.recurring.some(({ from, to }) => from === '' || to === '' || from === to)) {
    problems.recurring = 'Enter when each time begins and ends.';
  }
  return problems;
}

/** The code that buyers enter; empty if they need none. */
export function codeOf({ audience, code }: Draft): string {
  return audience === 'code' ? code.trim() : '';
}

/**
 * What an unnamed campaign is called: by its code, or else by what it does. Undefined where the form cannot say that.
 */
export function unnamedName(draft: Draft): string | undefined {
  if (codeOf(draft) !== '') return codeOf(draft);
  const effect = Object.keys(effectProblems(draft)).length === 0 ? effectOf(draft) : undefined;
  return effect && effectText({ per: 'unit', ...effect } as Schemas['Effect']);
}

function nameOf(draft: Draft): string | undefined {
  return draft.name.trim() || unnamedName(draft);
}

/** The fields of a campaign that few need, by what they are about. */
export const GROUPS = {
  times: ['recurring'],
  discount: ['budgetId', 'per', 'maxAmount', 'unitsMax', 'unitsPick', 'application', 'effectBase'],
  buyers: ['maxPerCustomer', 'maxTicketsPerCustomer', 'perCustomerBy', 'segments', 'channels'],
  orders: ['maxTickets', 'tags', 'minQuantity', 'maxQuantity', 'minOrderTotal', 'maxOrderTotal'],
  others: ['stacking', 'category', 'priority'],
} as const satisfies Record<string, readonly (keyof Draft)[]>;

/** What the platform calls the category of a campaign that has none of its own. */
const OWN_CATEGORIES = new Set(['promotion', 'coupon']);

/** How many fields of a group hold something of their own. */
export function filledIn(group: keyof typeof GROUPS, draft: Draft): number {
  const isOwn = (field: keyof Draft) =>
    draft[field] !== NEW_DRAFT[field] && !(field === 'category' && OWN_CATEGORIES.has(draft.category));
  return GROUPS[group].filter((field) => isOwn(field)).length;
}

/** The body that creates a draft without problems. */
export function creationOf(draft: Draft): Schemas['AdjustmentInput'] {
  const { category, stacking, application, effectBase } = draft;
  const name = nameOf(draft);
  const given = Object.entries(conditionsOf(draft)).filter(([, value]) => value !== null);
  return {
    ...(name === undefined ? {} : { name }),
    ...(category.trim() === '' ? {} : { category }),
    ...(codeOf(draft) === '' ? {} : { type: 'coupon' }),
    stacking,
    application,
    effectBase,
    priority: Number(draft.priority),
    targets: draft.places.map(targetOf),
    effect: effectOf(draft) as EffectInput,
    conditions: Object.fromEntries(given) as Schemas['ConditionsInput'],
  };
}

/** The body that changes `saved` to a draft without problems, and nothing else. */
export function changeOf(draft: Draft, saved: Draft): Schemas['AdjustmentPatch'] {
  const { conditions, effect, ...rest } = changeableIn(draft);
  const before = changeableIn(saved);
  const isSameKind = effect.kind === before.effect.kind;
  return {
    ...changedMembers(rest, before),
    conditions: changedMembers(conditions, before.conditions),
    // An effect of another kind replaces the old one.
    effect: isSameKind ? changedMembers(effect, before.effect) : effect,
  };
}

function changeableIn(draft: Draft) {
  return {
    name: nameOf(draft) ?? null,
    category: draft.category.trim() || null,
    stacking: draft.stacking,
    application: draft.application,
    effectBase: draft.effectBase,
    priority: Number(draft.priority),
    conditions: conditionsOf(draft),
    targets: draft.places.map(targetOf),
    effect: { currency: null, maxAmount: null, units: null, ...effectOf(draft) } as EffectPatch,
  };
}

/**
 * What saving a draft without problems would make, active: what is paused or a draft shows what it does once it is
 * activated.
 */
export function proposalOf(draft: Draft, before: Adjustment | undefined): Schemas['ProposedAdjustment'] {
  const created = creationOf(draft);
  if (before === undefined) return created;
  const { id, type, origin } = before;
  const conditions = { ...unknownIn(before), ...created.conditions };
  return { type, origin, ...created, id, conditions, effect: effectOf(draft) ?? before.effect };
}

/** The conditions that the form does not know. */
function unknownIn({ conditions }: Adjustment): Schemas['ConditionsInput'] {
  const known = conditionsOf(NEW_DRAFT);
  return Object.fromEntries(Object.entries(conditions).filter(([name]) => !(name in known)));
}

function conditionsOf(draft: Draft): Conditions {
  const { currency, zone } = draft;
  const total = (value: string) => {
    const amount = value === '' ? undefined : minorUnitsOf(value, currency);
    return amount === undefined ? null : { amount, currency };
  };
  return {
    code: codeOf(draft) || null,
    startsAt: instantOf(draft.startsAt, zone) ?? null,
    endsAt: instantOf(draft.endsAt, zone) ?? null,
    recurring: draft.recurring.length === 0 ? null : [...draft.recurring],
    minQuantity: numberOf(draft.minQuantity),
    maxQuantity: numberOf(draft.maxQuantity),
    minOrderTotal: total(draft.minOrderTotal),
    maxOrderTotal: total(draft.maxOrderTotal),
    customerSegments: namesIn(draft.segments),
    channelIds: namesIn(draft.channels),
    tags: namesIn(draft.tags),
    maxRedemptions: numberOf(draft.maxRedemptions),
    maxRedemptionsPerCustomer: numberOf(draft.maxPerCustomer),
    maxTickets: numberOf(draft.maxTickets),
    maxTicketsPerCustomer: numberOf(draft.maxTicketsPerCustomer),
    perCustomerBy: draft.perCustomerBy === 'id' ? null : draft.perCustomerBy,
    budgetId: draft.budgetId || null,
  };
}

function namesIn(listed: string): string[] | null {
  const names = listedIn(listed);
  return names.length === 0 ? null : names;
}

function joined(names: readonly string[] | undefined): string {
  return (names ?? []).join(', ');
}

function numberOf(value: string): number | null {
  return value === '' ? null : Number(value);
}

function typed(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}
