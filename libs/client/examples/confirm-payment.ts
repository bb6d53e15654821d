import { type Client, dataOf } from '@event-commerce/client';

/** Confirms an order once its payment has arrived. It may be repeated: the second time changes nothing. */
export async function confirmPayment(backOffice: Client, orderId: string, paid: number) {
  const params = { path: { id: orderId } };
  return await dataOf(backOffice.POST('/v1/orders/{id}/confirm', { params, body: { expectedTotal: paid } }));
}
