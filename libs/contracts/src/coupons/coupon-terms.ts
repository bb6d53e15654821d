import { changedAdjustment } from '../adjustments/adjustment.ts';
import type { Conditions } from '../adjustments/conditions.ts';
import { contextKindOf } from '../adjustments/target.ts';
import { storedCode } from '../schema/codes.ts';
import {
  BESIDE_AN_EFFECT,
  CONDITION_MEMBERS,
  CONDITION_NAMES,
  type CouponMembers,
  type CouponState,
} from './coupon.ts';

/** What a company decides about a coupon; everything else follows from it and from past events. */
export interface CouponDefinition extends Omit<CouponMembers, 'status' | 'offeringIds' | 'contextIds'> {
  offeringIds: string[];
  contextIds: string[];
  enabled: boolean;
}

type Terms = NonNullable<CouponState['terms']>;

const NAME_LENGTH_MAX = 256;
/** The name of a coupon that has neither a description nor a code of its own. */
const UNNAMED = 'Coupon';

/**
 * The adjustment that a coupon makes; undefined while it needs no code or has no discount, and so no effect. It applies to the
 * coupon's offerings in the coupon's contexts; without offerings to everything there, without contexts to the offerings
 * everywhere, without both to every event of the company.
 */
export function couponTerms(coupon: CouponDefinition, archived: boolean): Terms | undefined {
  const effect = effectOf(coupon);
  const { description, category, stacking, effectBase, priority, uniqueCodes } = coupon;
  const code = coupon.code === undefined ? undefined : storedCode(coupon.code);
  if ((code === undefined && uniqueCodes === undefined) || effect === undefined) return undefined;
  return {
    name: (description?.trim() || code || UNNAMED).slice(0, NAME_LENGTH_MAX),
    type: 'coupon',
    category: category ?? 'discount-coupon',
    origin: 'coupon',
    application: 'at-checkout',
    stacking: stacking ?? 'replace-within-category',
    effectBase: effectBase ?? 'list-price',
    priority: priority ?? 0,
    targets: targetsOf(coupon).map((path) => ({ urn: `urn:v1::events:${path}` })),
    conditions: { ...(code === undefined ? {} : { code }), ...conditionsOf(coupon) },
    effect,
    status: archived ? 'archived' : coupon.enabled ? 'active' : 'paused',
  };
}

/** Whether a coupon has a discount. */
export function hasDiscount({ percentOff, amountOff, effect }: CouponDefinition): boolean {
  return percentOff !== undefined || amountOff !== undefined || effect !== undefined;
}

/**
 * What is wrong with a coupon whose members are each valid: what the rules between the members of its adjustment say,
 * with the coupon's names. One that has no code or no discount yet is held to the same rules.
 */
export function couponProblems(coupon: CouponDefinition): { path: string; message: string }[] {
  const besides = coupon.effect === undefined ? [] : BESIDE_AN_EFFECT.filter((member) => coupon[member] !== undefined);
  if (besides.length > 0) {
    return besides.map((path) => ({ path, message: `says what effect says; send effect: null to use ${path}` }));
  }
  const whole = couponTerms({ code: 'X', ...(hasDiscount(coupon) ? {} : { percentOff: 1 }), ...coupon }, false);
  const { error } = changedAdjustment.safeParse(whole);
  return (error?.issues ?? []).map(({ path, message }) => ({ path: pathIn(coupon, path), message }));
}

/** The coupon's path for a path in its adjustment. */
function pathIn(coupon: CouponDefinition, [member, ...rest]: readonly PropertyKey[]): string {
  const [name = '', ...others] = rest.map(String);
  if (member === 'conditions') return [NAMES[name] ?? name, ...others].join('.');
  if (member === 'effect' && coupon.effect === undefined) return name;
  return [String(member), ...rest.map(String)].join('.');
}

const NAMES: Readonly<Record<string, string>> = CONDITION_NAMES;

/** Its conditions besides the code. */
function conditionsOf(coupon: CouponDefinition): Omit<Conditions, 'code'> {
  const { contextIds, offeringIds, limit, expiresAt } = coupon;
  return {
    ...Object.fromEntries(
      CONDITION_MEMBERS.flatMap((member) => (coupon[member] === undefined ? [] : [[member, coupon[member]]])),
    ),
    ...(contextIds.length === 0 || offeringIds.length === 0 ? {} : { offeringIds }),
    ...(limit === undefined ? {} : { maxRedemptions: limit }),
    ...(expiresAt === undefined ? {} : { endsAt: expiresAt }),
  };
}

function effectOf(coupon: CouponDefinition): Terms['effect'] | undefined {
  const { effect, percentOff, amountOff, per = 'unit', maxAmount, units, currency } = coupon;
  if (effect !== undefined) return effect;
  const hasAmount = maxAmount !== undefined || amountOff !== undefined;
  const shared = {
    per,
    ...(maxAmount === undefined ? {} : { maxAmount }),
    ...(units === undefined ? {} : { units }),
    ...(currency === undefined || !hasAmount ? {} : { currency }),
  };
  if (percentOff !== undefined) return { kind: 'percentage_off', percent: percentOff, ...shared };
  return amountOff === undefined ? undefined : { kind: 'amount_off', amount: amountOff, ...shared };
}

function targetsOf({ contextIds, offeringIds }: CouponDefinition): string[] {
  if (contextIds.length > 0) return contextIds.map((id) => `${contextKindOf(id)}/${id}`);
  if (offeringIds.length > 0) return offeringIds.map((id) => `offering/${id}`);
  return ['event/*'];
}
