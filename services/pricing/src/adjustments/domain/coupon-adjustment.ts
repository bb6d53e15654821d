import { type AdjustmentInput, contextKindOf, type CouponState, storedCode } from '@event-commerce/contracts';

const NAME_LENGTH_MAX = 256;

/**
 * The adjustment of a coupon; undefined while the coupon has no code or no discount and so no effect. It applies to the
 * coupon's offerings in the coupon's contexts; without offerings to everything there, without contexts to the offerings
 * everywhere, without both to every event of the company.
 */
export function couponAdjustment(coupon: CouponState): AdjustmentInput | undefined {
  const effect = effectOf(coupon);
  if (coupon.code === undefined || effect === undefined) return undefined;
  const code = storedCode(coupon.code);
  return {
    name: (coupon.description?.trim() || code).slice(0, NAME_LENGTH_MAX),
    type: 'coupon',
    category: 'discount-coupon',
    origin: 'coupon',
    application: 'at-checkout',
    stacking: 'replace-within-category',
    effectBase: 'list-price',
    priority: 0,
    targets: targetsOf(coupon).map((path) => ({ urn: `urn:v1::events:${path}` })),
    conditions: {
      code,
      ...(coupon.contextIds.length === 0 || coupon.offeringIds.length === 0 ? {} : { offeringIds: coupon.offeringIds }),
      ...(coupon.limit === undefined ? {} : { maxRedemptions: coupon.limit }),
      ...(coupon.expiresAt === undefined ? {} : { endsAt: coupon.expiresAt }),
    },
    effect,
    status: coupon.enabled ? 'active' : (coupon.archived ?? true) ? 'archived' : 'paused',
  };
}

function effectOf({
  percentOff,
  amountOff,
  per = 'unit',
  currency,
}: CouponState): AdjustmentInput['effect'] | undefined {
  if (percentOff !== undefined) return { kind: 'percentage_off', percent: percentOff, per };
  if (amountOff === undefined) return undefined;
  return { kind: 'amount_off', amount: amountOff, per, ...(currency === undefined ? {} : { currency }) };
}

function targetsOf({ contextIds, offeringIds }: CouponState): string[] {
  if (contextIds.length > 0) return contextIds.map((id) => `${contextKindOf(id)}/${id}`);
  if (offeringIds.length > 0) return offeringIds.map((id) => `offering/${id}`);
  return ['event/*'];
}
