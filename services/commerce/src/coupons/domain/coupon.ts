import {
  BESIDE_AN_EFFECT,
  type Coupon,
  type CouponDefinition,
  type CouponInput,
  type CouponStatus,
  hasDiscount,
} from '@event-commerce/contracts';

export const BLANK: CouponDefinition = { offeringIds: [], contextIds: [], enabled: true };

/**
 * Applies `input` to `definition`: a value replaces, null clears, an absent field is kept. A new kind of discount
 * replaces the old one and its fields.
 */
export function changeDefinition(definition: CouponDefinition, input: CouponInput): CouponDefinition {
  const { status, ...fields } = input;
  const changed: Record<string, unknown> = { ...definition };
  if (typeof fields.percentOff === 'number') for (const other of ['amountOff', 'effect']) delete changed[other];
  if (typeof fields.amountOff === 'number') for (const other of ['percentOff', 'effect']) delete changed[other];
  if (fields.effect !== undefined && fields.effect !== null)
    for (const other of BESIDE_AN_EFFECT) delete changed[other];
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
  return (definition.code !== undefined || definition.uniqueCodes === true) && hasDiscount(definition);
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
