import type { components } from '@event-commerce/client';
import { isCurrency, minorUnitsOf, typedAmount } from '../format/format.ts';

type Schemas = components['schemas'];
type Effect = Schemas['Effect'];
type EffectInput = Schemas['EffectInput'];

/** The kinds of effect that the form can write. */
export const KINDS = [
  'percentage_off',
  'amount_off',
  'fixed_price',
  'tiered',
  'buy_x_get_y',
  'percentage_surcharge',
  'amount_surcharge',
] as const;
export type Kind = (typeof KINDS)[number];

/** What is taken off from a number of tickets on, as typed. */
interface Tier {
  from: string;
  off: string;
}

/** An effect as the form holds it: everything as typed. */
export interface EffectDraft {
  /** `other`: an effect that the form cannot write; it stays as it is. */
  kind: Kind | 'other';
  percent: string;
  amount: string;
  currency: string;
  per: 'unit' | 'order';
  /** The most that is taken off; empty, any. */
  maxAmount: string;
  /** For how many tickets of an order it counts; empty, all. */
  unitsMax: string;
  unitsPick: 'cheapest' | 'dearest';
  buy: string;
  get: string;
  tiersOff: 'percent' | 'amount';
  tiers: readonly Tier[];
}

export const NEW_EFFECT: EffectDraft = {
  kind: 'percentage_off',
  percent: '10',
  amount: '5',
  currency: 'EUR',
  per: 'unit',
  maxAmount: '',
  unitsMax: '',
  unitsPick: 'cheapest',
  buy: '2',
  get: '1',
  tiersOff: 'percent',
  tiers: [
    { from: '4', off: '10' },
    { from: '10', off: '20' },
  ],
};

type WrittenEffect = Extract<Effect, { kind: Kind }>;

function canWrite(effect: Effect): effect is WrittenEffect {
  return KINDS.some((kind) => kind === effect.kind);
}

/** `currency`: of amounts that have none of their own. */
export function fieldsOfEffect(effect: Effect, currency: string): Partial<EffectDraft> {
  if (!canWrite(effect)) return { kind: 'other' };
  const { kind } = effect;
  const most = effect.maxAmount === undefined ? '' : typedAmount(effect.maxAmount, currency);
  const units = unitFields(effect);
  switch (kind) {
    case 'tiered': {
      const inAmounts = effect.tiers.filter(({ amount }) => amount !== undefined).length;
      if (inAmounts > 0 && inAmounts < effect.tiers.length) return { kind: 'other' };
      const tiers = effect.tiers.map(({ minQuantity, percent = 0, amount }) => ({
        from: String(minQuantity),
        off: amount === undefined ? String(percent) : typedAmount(amount, currency),
      }));
      return {
        kind,
        tiers,
        tiersOff: inAmounts > 0 ? 'amount' : 'percent',
        per: effect.per,
        maxAmount: most,
        ...units,
      };
    }
    case 'buy_x_get_y':
      return {
        kind,
        buy: String(effect.buy),
        get: String(effect.get),
        percent: String(effect.percent),
        maxAmount: most,
      };
    case 'percentage_off':
    case 'percentage_surcharge':
      return { kind, percent: String(effect.percent), per: effect.per, maxAmount: most, ...units };
    case 'amount_off':
    case 'fixed_price':
    case 'amount_surcharge':
      // An amount without a currency is minor units of any: the form would give it one.
      if (effect.currency === undefined) return { kind: 'other' };
      return { kind, amount: typedAmount(effect.amount, effect.currency), per: effect.per, maxAmount: most, ...units };
    default:
      return effect satisfies never;
  }
}

function unitFields(effect: WrittenEffect): Pick<EffectDraft, 'unitsMax' | 'unitsPick'> {
  const { max, pick } = ('units' in effect ? effect.units : undefined) ?? { max: '', pick: 'cheapest' as const };
  return { unitsMax: String(max), unitsPick: pick };
}

/** The effect of a draft without problems; undefined if the form cannot write it. */
export function effectOf(draft: EffectDraft): EffectInput | undefined {
  const { kind, percent, amount, currency, per, buy, get } = draft;
  if (kind === 'other') return undefined;
  const maxAmount = draft.maxAmount === '' ? undefined : minorUnitsOf(draft.maxAmount, currency);
  const most = maxAmount === undefined || !isDiscount(kind) ? {} : { maxAmount, currency };
  const units = draft.unitsMax === '' ? {} : { units: { max: Number(draft.unitsMax), pick: draft.unitsPick } };
  switch (kind) {
    case 'percentage_off':
    case 'percentage_surcharge':
      return { kind, percent: Number(percent), per, ...most, ...units };
    case 'buy_x_get_y':
      return { kind, buy: Number(buy), get: Number(get), percent: Number(percent), ...most };
    case 'tiered': {
      const inAmounts = draft.tiersOff === 'amount';
      const tiers = draft.tiers.map(({ from, off }) => ({
        minQuantity: Number(from),
        ...(inAmounts ? { amount: minorUnitsOf(off, currency) ?? 0 } : { percent: Number(off) }),
      }));
      return { kind, tiers, per, ...(inAmounts ? { currency } : {}), ...most, ...units };
    }
    case 'amount_off':
    case 'fixed_price':
    case 'amount_surcharge':
      return { kind, amount: minorUnitsOf(amount, currency) ?? 0, currency, per, ...most, ...units };
    default:
      return kind satisfies never;
  }
}

export function isDiscount(kind: EffectDraft['kind']): boolean {
  return kind !== 'percentage_surcharge' && kind !== 'amount_surcharge' && kind !== 'fixed_price';
}

/** What cannot be sent, by field, and what to write instead. */
export function effectProblems(draft: EffectDraft): Partial<Record<keyof EffectDraft, string>> {
  const { kind, currency, tiers, tiersOff } = draft;
  const problems: Partial<Record<keyof EffectDraft, string>> = {};
  const isPercent = (value: string) => Number(value) > 0;
  const isAmount = (value: string) => minorUnitsOf(value, currency) !== undefined;
  const isWhole = (value: string) => /^[1-9]\d*$/.test(value);

  const usesPercent = kind === 'percentage_off' || kind === 'percentage_surcharge' || kind === 'buy_x_get_y';
  if (usesPercent && !isPercent(draft.percent)) problems.percent = 'Enter a percentage, such as 12.5.';
  if (isCurrency(currency)) {
    const example = `Enter an amount in ${currency}, such as 5.`;
    const usesAmount = kind === 'amount_off' || kind === 'fixed_price' || kind === 'amount_surcharge';
    if (usesAmount && !isAmount(draft.amount)) problems.amount = example;
    if (isDiscount(kind) && draft.maxAmount !== '' && !isAmount(draft.maxAmount)) problems.maxAmount = example;
  } else problems.currency = 'Three letters, such as EUR.';
  if (kind !== 'buy_x_get_y' && draft.unitsMax !== '' && !isWhole(draft.unitsMax)) {
    problems.unitsMax = 'Enter a whole number, 1 or more.';
  }
  if (kind === 'buy_x_get_y') {
    for (const field of ['buy', 'get'] as const) {
      if (!isWhole(draft[field])) problems[field] = 'Enter a whole number, 1 or more.';
    }
  }
  if (kind === 'tiered') {
    const right = tiersOff === 'percent' ? isPercent : isAmount;
    if (tiers.length === 0) problems.tiers = 'Add a step.';
    else if (!tiers.every(({ from, off }) => isWhole(from) && right(off)))
      problems.tiers = `Each step needs a whole number of tickets, and ${tiersOff === 'percent' ? 'a percentage' : `an amount in ${currency}`}.`;
    else if (new Set(tiers.map(({ from }) => Number(from))).size < tiers.length)
      problems.tiers = 'Two steps begin at the same number of tickets.';
  }
  return problems;
}
