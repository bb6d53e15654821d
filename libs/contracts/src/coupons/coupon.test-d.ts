// Checked only by the compiler: a line that should fail but compiles is an error.
import type { Conditions } from '../adjustments/conditions.ts';
import type { CONDITION_NAMES, Coupon, CouponInput } from './coupon.ts';

type Named = typeof CONDITION_NAMES;
type CouponName<Condition extends keyof Conditions> = Condition extends keyof Named ? Named[Condition] : Condition;

/** Every condition of an adjustment is a member of a coupon: one that is missing here is an error. */
export const sent: Record<CouponName<keyof Conditions>, unknown> = {} as Required<CouponInput>;
export const shown: Record<CouponName<keyof Conditions>, unknown> = {} as Required<Coupon>;

// @ts-expect-error -- not a condition
export const unknown: Record<CouponName<keyof Conditions> | 'maxSeats', unknown> = {} as Required<CouponInput>;
