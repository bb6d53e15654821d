import type { OrderInput } from '@event-commerce/contracts';

/** What an order redeems: the codes of its coupons, and the adjustments that its items name, each once. */
export function redeemedBy(order: Pick<OrderInput, 'coupons' | 'items'>): { codes: string[]; adjustmentIds: string[] } {
  const adjustments = order.items.flatMap((item) => item.adjustments ?? []);
  return {
    codes: order.coupons.map((coupon) => (typeof coupon === 'string' ? coupon : coupon.code)),
    adjustmentIds: [...new Set(adjustments.map((one) => (typeof one === 'string' ? one : one.adjustmentId)))],
  };
}
