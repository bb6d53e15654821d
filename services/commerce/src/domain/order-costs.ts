import type { OrderCosts, OrderInput, OrderItem } from '@event-commerce/contracts';

/** The order's costs: what the caller gave, and what is missing computed from the items. Minor units. */
export function orderCosts(order: Pick<OrderInput, 'items' | 'costs' | 'currency'>): OrderCosts {
  const subtotal = order.costs.subtotal ?? order.items.reduce((sum, item) => sum + itemTotal(item), 0);
  const fees = order.costs.fees ?? 0;
  const tax = order.costs.tax ?? 0;
  return {
    subtotal,
    fees,
    tax,
    total: order.costs.total ?? subtotal + fees + tax,
    currency: order.costs.currency ?? order.currency,
  };
}

function itemTotal(item: OrderItem): number {
  return item.total === undefined ? amountOf(item.unitPrice) * item.quantity : amountOf(item.total);
}

function amountOf(price: OrderItem['unitPrice']): number {
  return typeof price === 'object' ? price.amount : (price ?? 0);
}
