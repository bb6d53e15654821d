import type { PricedItem } from '@event-commerce/contracts';

/** The lines of an order that are about an event. What is not in the catalogue is about what the order is for. */
export function linesOf(items: readonly PricedItem[], eventId: string, contextId: string): PricedItem[] {
  return items.filter((item) => (item.eventId ?? contextId) === eventId);
}

export function ticketsIn(lines: readonly Pick<PricedItem, 'quantity'>[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}
