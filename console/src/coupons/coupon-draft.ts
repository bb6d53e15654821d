import type { components } from '@event-commerce/client';
import { EVERYWHERE, type Place, targetOf } from '../campaigns/place.ts';
import { changedMembers } from '../data/changed-members.ts';
import { isCurrency, minorUnitsOf, typedAmount } from '../format/format.ts';
import { instantOf, localOf } from '../format/zoned-time.ts';

type Schemas = components['schemas'];
type Coupon = Schemas['Coupon'];
type Adjustment = Schemas['Adjustment'];

/** A coupon as the form holds it: everything as typed, empty where there is nothing. */
export interface CouponDraft {
  /** Whether all buyers enter the same code, or each one of their own. */
  codes: 'shared' | 'unique';
  /** The shared code. */
  code: string;
  description: string;
  /** `effect`: what the form does not know, and leaves as it is. */
  off: 'percent' | 'amount' | 'effect';
  percent: string;
  amount: string;
  /** Whether it takes that off each ticket, or once off the order. */
  per: 'unit' | 'order';
  /** Empty for an amount off a price in any currency. */
  currency: string;
  limit: string;
  /** Empty: none. */
  budgetId: string;
  /** Events, venues, organizers; every event is none of them. */
  places: readonly Place[];
  /** Only these offerings; empty, all of them. */
  offeringIds: readonly string[];
  /** Local time in `zone`. */
  expiresAt: string;
  zone: string;
}

/** An amount without a currency is shown as if it had two decimals. */
const UNNAMED = 'EUR';

/** What the preview enters where each buyer has a code of their own. */
const CODE_OF_A_BUYER = 'CODE-OF-A-BUYER';

export const NEW_COUPON: CouponDraft = {
  codes: 'shared',
  code: '',
  description: '',
  off: 'percent',
  percent: '10',
  amount: '5',
  per: 'unit',
  currency: 'EUR',
  limit: '',
  budgetId: '',
  places: [EVERYWHERE],
  offeringIds: [],
  expiresAt: '',
  zone: 'UTC',
};

export function couponDraftOf(coupon: Coupon, zone: string): CouponDraft {
  const { code = '', description = '', percentOff, amountOff, effect, per = 'unit', limit, expiresAt } = coupon;
  const currency = coupon.currency ?? (amountOff === undefined ? NEW_COUPON.currency : '');
  const places = coupon.contextIds.map((id): Place => ({ path: `${kindOf(id)}/${id}`, offeringId: '' }));
  return {
    ...NEW_COUPON,
    codes: coupon.uniqueCodes === true ? 'unique' : 'shared',
    code,
    description,
    off: effect !== undefined ? 'effect' : amountOff === undefined ? 'percent' : 'amount',
    percent: percentOff === undefined ? '' : String(percentOff),
    amount: amountOff === undefined ? '' : typedAmount(amountOff, currency || UNNAMED),
    per,
    currency,
    limit: limit === undefined ? '' : String(limit),
    budgetId: coupon.budgetId ?? '',
    places: places.length === 0 ? [EVERYWHERE] : places,
    offeringIds: coupon.offeringIds,
    expiresAt: expiresAt === undefined ? '' : localOf(expiresAt, zone),
    zone,
  };
}

/** What a context's id names, judging by its beginning. */
function kindOf(id: string): string {
  if (id.startsWith('ven_')) return 'venue';
  return id.startsWith('org_') ? 'organization' : 'event';
}

export type CouponProblems = Partial<Record<keyof CouponDraft, string>>;

/** What cannot be sent, and what to write instead. A coupon of the form always does something. */
export function couponProblems(draft: CouponDraft): CouponProblems {
  const problems: CouponProblems = {};
  const { codes, code, off, percent, currency, limit } = draft;
  if (codes === 'shared' && code.trim() === '') problems.code = 'Enter the code that buyers type.';
  if (off === 'percent' && !(Number(percent) > 0 && Number(percent) <= 100))
    problems.percent = 'Enter a percentage, such as 12.5.';
  if (off === 'amount') {
    if (currency !== '' && !isCurrency(currency)) problems.currency = 'Three letters, such as EUR.';
    else if (amountOf(draft) === 0) problems.amount = 'Enter an amount, such as 5.';
  }
  if (!/^\d*$/.test(limit)) problems.limit = 'Enter a whole number, 0 or more.';
  return problems;
}

/** The body that changes `saved` to a draft without problems, and nothing else. */
export function couponChangeOf(draft: CouponDraft, saved: CouponDraft): Schemas['CouponInput'] {
  return changedMembers(couponBodyOf(draft), couponBodyOf(saved));
}

/** The body that creates a draft without problems. */
export function couponBodyOf(draft: CouponDraft): Schemas['CouponInput'] {
  const { codes, code, description, off, percent, per, currency, limit, places, expiresAt, zone } = draft;
  const discount = {
    percentOff: off === 'percent' ? Number(percent) : null,
    amountOff: off === 'amount' ? amountOf(draft) : null,
    per,
    currency: off === 'amount' ? currency || null : null,
  };
  return {
    code: code.trim() || null,
    uniqueCodes: codes === 'unique' ? true : null,
    description: description.trim() || null,
    ...(off === 'effect' ? {} : discount),
    limit: limit === '' ? null : Number(limit),
    budgetId: draft.budgetId || null,
    contextIds: isEverywhere(draft) ? [] : places.map(({ path }) => path.replace(/^\w+\//, '')),
    offeringIds: [...draft.offeringIds],
    expiresAt: instantOf(expiresAt, zone) ?? null,
  };
}

/**
 * The price adjustment that the platform keeps for such a coupon. `kept`: the one that it has, with what the form does
 * not know.
 */
export function adjustmentOfCoupon(draft: CouponDraft, kept: Adjustment | undefined): Schemas['ProposedAdjustment'] {
  const { description, off, percent, per, currency, limit, places, expiresAt, zone } = draft;
  const code = codeToPreview(draft);
  const offeringIds = [...draft.offeringIds];
  const endsAt = instantOf(expiresAt, zone);
  const {
    offeringIds: _offers,
    maxRedemptions: _max,
    endsAt: _ends,
    uniqueCodes: _unique,
    budgetId: _budget,
    ...conditions
  } = kept?.conditions ?? {};
  return {
    ...(kept === undefined ? {} : { id: kept.id, priority: kept.priority, effectBase: kept.effectBase }),
    name: description.trim() || code.trim().toUpperCase(),
    type: 'coupon',
    category: kept?.category ?? 'discount-coupon',
    origin: 'coupon',
    stacking: kept?.stacking ?? 'replace-within-category',
    targets: isEverywhere(draft) ? [targetOf(EVERYWHERE)] : places.map(targetOf),
    conditions: {
      ...conditions,
      code,
      ...(offeringIds.length === 0 ? {} : { offeringIds }),
      ...(limit === '' ? {} : { maxRedemptions: Number(limit) }),
      ...(draft.budgetId === '' ? {} : { budgetId: draft.budgetId }),
      ...(endsAt === undefined ? {} : { endsAt }),
    },
    effect:
      off === 'effect' && kept !== undefined
        ? kept.effect
        : off === 'amount'
          ? { kind: 'amount_off', amount: amountOf(draft), per, ...(currency === '' ? {} : { currency }) }
          : { kind: 'percentage_off', percent: Number(percent), per },
  };
}

/** The code with which the preview is priced. */
export function codeToPreview({ codes, code }: CouponDraft): string {
  return codes === 'unique' ? CODE_OF_A_BUYER : code;
}

function isEverywhere({ places }: CouponDraft): boolean {
  return places.some(({ path }) => path === EVERYWHERE.path);
}

/** The amount in minor units; 0 if what was typed is not an amount. */
function amountOf({ amount, currency }: CouponDraft): number {
  return minorUnitsOf(amount, currency || UNNAMED) ?? 0;
}
