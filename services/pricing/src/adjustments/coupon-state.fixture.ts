import { type CouponDefinition, type CouponState, couponTerms } from '@event-commerce/contracts';

type Coupon = Partial<CouponDefinition> & Pick<CouponState, 'id' | 'companyId' | 'version'> & { archived?: boolean };

/** What commerce tells pricing about a coupon. */
export function couponStateOf({ id, companyId, version, archived = false, ...given }: Coupon): CouponState {
  const terms = couponTerms({ offeringIds: [], contextIds: [], enabled: true, ...given }, archived);
  return { id, companyId, version, ...(terms === undefined ? {} : { terms }) };
}
