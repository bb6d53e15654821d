import type { PricedItem } from '@event-commerce/contracts';

/** The lines of an order that belong to an event. A line outside the catalogue belongs to the order's context. */
export function linesOf(items: readonly PricedItem[], eventId: string, contextId: string): PricedItem[] {
  return items.filter((item) => (item.eventId ?? contextId) === eventId);
}

export function ticketsIn(lines: readonly Pick<PricedItem, 'quantity'>[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}
