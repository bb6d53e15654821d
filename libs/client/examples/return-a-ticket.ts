import { type Client, dataOf } from '@event-commerce/client';

/** Returns one ticket of an order's first line. Resolves with what to pay back, in cents. */
export async function returnOneTicket(backOffice: Client, orderId: string): Promise<number> {
  const params = { path: { id: orderId } };
  const { items } = await dataOf(backOffice.GET('/v1/orders/{id}', { params }));
  const [line] = items;
  if (line?.lineId === undefined) throw new Error('The order has no tickets.');
  const left = [{ lineId: line.lineId, quantity: line.quantity - 1 }];
  const body = { mode: 'keep' as const, items: left };
  const { amendment } = await dataOf(backOffice.POST('/v1/orders/{id}/amendments', { params, body }));
  return Math.abs(amendment?.due ?? 0);
}
