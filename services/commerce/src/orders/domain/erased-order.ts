import {
  ERASED_EMAIL,
  type Order,
  orderCosts,
  orderCoupon,
  pricedItem,
  type RedemptionClaim,
} from '@event-commerce/contracts';
import { orderTerms } from '../../search-terms.ts';

type Bought = Pick<Order, 'items' | 'costs' | 'coupons'>;
type Erasable = Bought & Pick<Order, 'orderNumber' | 'context'> & { claims: readonly RedemptionClaim[] };

const MEMBERS = {
  item: Object.keys(pricedItem.shape),
  costs: Object.keys(orderCosts.shape),
  coupon: Object.keys(orderCoupon.shape),
};

/**
 * An order after its customer is erased. What was sold and redeemed stays, with the members that the API knows; the
 * caller's own members go, because they may be about anybody.
 */
export function erasedOrder(
  { orderNumber, context, claims, ...bought }: Erasable,
  ids: readonly string[],
  pseudonym: string,
) {
  const customer = { id: pseudonym, email: ERASED_EMAIL };
  const { items, costs, coupons } = withoutOwnMembers(bought);
  return {
    customer,
    items,
    costs,
    coupons,
    context: only(context, ['urn']),
    agreements: {},
    answers: {},
    forwarded: {},
    meta: {},
    claims: erasedClaims(claims, ids, pseudonym),
    terms: orderTerms({ orderNumber, customer, items, coupons }),
  };
}

/** An amendment once the customer is erased. */
export function erasedAmendment<T extends { reason?: string; before: Bought }>({ reason: _reason, ...amendment }: T) {
  return { ...amendment, before: withoutOwnMembers(amendment.before) };
}

/** What a pending amendment writes once the customer is erased. */
export function erasedChange<T extends Bought & { claims: readonly RedemptionClaim[] }>(
  fields: T,
  ids: readonly string[],
  pseudonym: string,
): T {
  return { ...fields, ...withoutOwnMembers(fields), claims: erasedClaims(fields.claims, ids, pseudonym) };
}

function erasedClaims(
  claims: readonly RedemptionClaim[],
  ids: readonly string[],
  pseudonym: string,
): RedemptionClaim[] {
  return claims.map((claim) =>
    claim.customerId !== undefined && ids.includes(claim.customerId) ? { ...claim, customerId: pseudonym } : claim,
  );
}

/** What was bought, without the members that callers added to it. */
function withoutOwnMembers({ items, costs, coupons }: Bought): Bought {
  return {
    items: items.map((item) => ({
      ...only(item, MEMBERS.item),
      ...(item.adjustments === undefined ? {} : { adjustments: item.adjustments.map(adjustmentIdOf) }),
    })),
    costs: only(costs, MEMBERS.costs),
    coupons: coupons.map((coupon) => only(coupon, MEMBERS.coupon)),
  };
}

function adjustmentIdOf(adjustment: string | { adjustmentId: string }): string {
  return typeof adjustment === 'string' ? adjustment : adjustment.adjustmentId;
}

/** `value` with only these members. */
function only<T extends object>(value: T, members: readonly string[]): T {
  return Object.fromEntries(Object.entries(value).filter(([name]) => members.includes(name))) as T;
}
