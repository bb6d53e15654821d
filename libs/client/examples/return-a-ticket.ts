import type { Client } from '@event-commerce/client';

/** Returns one ticket of an order's first line. Resolves with what to pay back, in cents. */
export async function returnOneTicket(backOffice: Client, orderId: string): Promise<number> {
  const { items } = await backOffice.orders.get(orderId);
  const [line] = items;
  if (line?.lineId === undefined) throw new Error('The order has no tickets.');
  const left = [{ lineId: line.lineId, quantity: line.quantity - 1 }];
  const { amendment } = await backOffice.orders.amend(orderId, { mode: 'keep', items: left });
  return Math.abs(amendment?.due ?? 0);
}
