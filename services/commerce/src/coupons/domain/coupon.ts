import type { Coupon, CouponInput, CouponStatus } from '@event-commerce/contracts';

/** What a company decides about a coupon; everything else follows from it and from past events. */
export interface CouponDefinition {
  description?: string;
  code?: string;
  type?: string;
  amountOff?: number;
  percentOff?: number;
  /** Absent: `unit`. */
  per?: 'unit' | 'order';
  currency?: string;
  limit?: number;
  offeringIds: string[];
  contextIds: string[];
  expiresAt?: string;
  enabled: boolean;
}

export const BLANK: CouponDefinition = { offeringIds: [], contextIds: [], enabled: true };

/**
 * Applies `input` to `definition`: a value replaces, null clears, an absent field is kept. A new kind of discount
 * replaces the old one.
 */
export function changeDefinition(definition: CouponDefinition, input: CouponInput): CouponDefinition {
  const { status, ...fields } = input;
  const changed: Record<string, unknown> = { ...definition };
  if (typeof fields.percentOff === 'number') delete changed['amountOff'];
  if (typeof fields.amountOff === 'number') delete changed['percentOff'];
  for (const [field, value] of Object.entries(fields)) {
    if (value === null) delete changed[field];
    else if (value !== undefined) changed[field] = value;
  }
  return {
    offeringIds: [],
    contextIds: [],
    ...changed,
    enabled: status === 'active' || (definition.enabled && status !== 'inactive'),
  };
}

/** Whether it has ended. */
export function hasEnded({ expiresAt }: Pick<CouponDefinition, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
}

/** Whether the coupon changes a price until it ends: only then does it hold its code. */
export function isEffective(definition: CouponDefinition): boolean {
  return definition.enabled && canBeEffective(definition);
}

/** Whether the coupon changes a price while it is enabled. */
export function canBeEffective(definition: CouponDefinition): boolean {
  const discounted = definition.amountOff !== undefined || definition.percentOff !== undefined;
  return definition.code !== undefined && discounted;
}

/** The resulting status: first what the company decided, then why the coupon does not apply. */
export function couponStatus(
  coupon: Pick<CouponDefinition, 'enabled' | 'expiresAt' | 'limit'> & { codeConflict: boolean } & Pick<
      Coupon,
      'quantitySold'
    >,
  now: Date,
): CouponStatus {
  if (!coupon.enabled) return 'inactive';
  if (coupon.codeConflict) return 'conflict';
  if (hasEnded(coupon, now)) return 'expired';
  if (coupon.limit !== undefined && coupon.quantitySold >= coupon.limit) return 'depleted';
  return 'active';
}
