import type { Order } from '@event-commerce/contracts';
import { type Columns, csvWith } from '@event-commerce/service-kit';

const COLUMNS: Columns<Order> = {
  id: ({ id }) => id,
  orderNumber: ({ orderNumber }) => orderNumber,
  status: ({ status }) => status,
  createdAt: ({ createdAt }) => createdAt,
  changedAt: ({ changedAt }) => changedAt,
  expiresAt: ({ expiresAt }) => expiresAt,
  cancelledAt: ({ cancelledAt }) => cancelledAt,
  contextId: ({ contextId }) => contextId,
  organizerId: ({ organizerId }) => organizerId,
  customerId: ({ customer }) => customer.id,
  email: ({ customer }) => customer.email,
  firstName: ({ customer }) => customer.firstName,
  lastName: ({ customer }) => customer.lastName,
  phone: ({ customer }) => customer.phone,
  currency: ({ currency }) => currency,
  subtotal: ({ costs }) => costs.subtotal,
  modifiers: ({ costs }) => costs.modifiers,
  fees: ({ costs }) => costs.fees,
  tax: ({ costs }) => costs.tax,
  total: ({ costs }) => costs.total,
  quantity: ({ items }) => items.reduce((sum, { quantity }) => sum + quantity, 0),
  offeringIds: ({ items }) => [...new Set(items.flatMap(({ offeringId }) => offeringId ?? []))].join(' '),
  coupons: ({ coupons }) => coupons.map(({ code }) => code).join(' '),
};

/** Orders as CSV. */
export const ORDERS_CSV = csvWith(COLUMNS);
