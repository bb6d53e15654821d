import { refusal } from '../errors/refusal.ts';

export const customerHasPendingOrders = refusal(
  'CUSTOMER_HAS_PENDING_ORDERS',
  'Orders of the customer wait for payment. The details name some of them.',
  (orderIds: readonly string[]) => ({
    message: `The customer has pending orders, such as ${orderIds[0]}. Confirm or cancel them first, then erase the customer.`,
    details: orderIds.map((orderId) => ({
      path: 'id',
      message: `has the pending order ${orderId}; confirm or cancel it first`,
      orderId,
    })),
  }),
  ['ord_1'],
);
export const erasureNotFound = refusal(
  'ERASURE_NOT_FOUND',
  'The company has no erasure of this id. Finished ones can be read for 90 days.',
  (id: string) => ({ message: `There is no erasure ${id}. Check the id: POST /v1/customers/{id}/erase returns it.` }),
  'ers_unknown',
);
