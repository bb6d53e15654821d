import type { OrderPrice } from '@event-commerce/contracts';
import type { PricedCart } from './cart.ts';

/** The price of a session that is ordered. */
export interface OrderedPrice extends PricedCart {
  /** When the order was created. */
  pricedAt: string;
}

/** What a session shows of the order that was placed for it: the order's own items, modifiers and total. */
export function orderedPrice(
  { items, costs, modifiers, coupons, createdAt }: OrderPrice,
  currency: string,
): OrderedPrice {
  return {
    items: items.map(({ offeringId, name, unitPrice = null, effectiveUnitPrice = null, ...item }) => ({
      ...(offeringId === undefined ? {} : { offeringId }),
      ...(name === undefined ? {} : { name }),
      ...item,
      unitPrice,
      effectiveUnitPrice,
    })),
    couponResults: coupons.map(({ code, redemptionId, adjustmentId, reason, detail }) => ({
      code,
      status: redemptionId === undefined ? 'dropped' : 'applied',
      ...(adjustmentId === undefined ? {} : { adjustmentId }),
      ...(reason === undefined ? {} : { reason }),
      ...(detail === undefined ? {} : { detail }),
    })),
    perOrderModifiers: modifiers,
    summary: { ...costs, currency },
    pricedAt: createdAt,
  };
}

/** What each adjustment added to the price. */
export function modifierTotals({ items, perOrderModifiers }: PricedCart): { adjustmentId: string; total: number }[] {
  const totals = new Map<string, number>();
  for (const { adjustmentId, total } of [...items.flatMap(({ modifiers }) => modifiers), ...perOrderModifiers]) {
    totals.set(adjustmentId, (totals.get(adjustmentId) ?? 0) + total);
  }
  return [...totals].map(([adjustmentId, total]) => ({ adjustmentId, total }));
}
