import { type OrderCosts, type OrderInput, type OrderItem, invalidInput } from '@event-commerce/contracts';

/**
 * The order's costs in minor units: as the caller gave them, and completed from the items.
 *
 * @throws {PlatformError} VALIDATION_FAILED if an item, the items together or the total exceed exact integers
 */
export function orderCosts(order: Pick<OrderInput, 'items' | 'costs' | 'currency'>): OrderCosts {
  const ofItems = order.items
    .map((item, index) => exact(itemTotal(item), `order.items[${index}]`))
    .reduce((sum, total) => exact(sum + total, 'order.items'), 0);
  const { subtotal = ofItems, fees = 0, tax = 0 } = order.costs;
  return {
    ...order.costs,
    subtotal,
    fees,
    tax,
    total: order.costs.total ?? exact(exact(subtotal + fees, 'order.costs') + tax, 'order.costs'),
    currency: order.currency,
  };
}

function itemTotal(item: OrderItem): number {
  return item.total === undefined ? amountOf(item.unitPrice) * item.quantity : amountOf(item.total);
}

function amountOf(price: OrderItem['unitPrice']): number {
  return typeof price === 'object' ? price.amount : (price ?? 0);
}

/** `amount`, the result of one operation on exact integers: beyond them, none rounds back to an exact one. */
function exact(amount: number, path: string): number {
  if (Number.isSafeInteger(amount)) return amount;
  throw invalidInput(
    path,
    `comes to more than ${Number.MAX_SAFE_INTEGER} minor units, the most that can be kept exactly`,
  );
}
