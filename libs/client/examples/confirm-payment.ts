import type { Client } from '@event-commerce/client';

/** Confirms an order once its payment has arrived. It may be repeated: the second time changes nothing. */
export async function confirmPayment(backOffice: Client, orderId: string, paid: number) {
  return await backOffice.orders.confirm(orderId, { expectedTotal: paid });
}
