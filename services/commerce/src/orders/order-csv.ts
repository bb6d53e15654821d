import type { Order } from '@event-commerce/contracts';
import { type CsvCell, csvRow } from '@event-commerce/service-kit';

const COLUMNS: Readonly<Record<string, (order: Order) => CsvCell>> = {
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

/** The header line of orders as CSV (RFC 4180). */
export const CSV_HEADER = csvRow(Object.keys(COLUMNS));

/** An order as one line of CSV. Amounts are minor units. */
export function csvOf(order: Order): string {
  return csvRow(Object.values(COLUMNS).map((cell) => cell(order)));
}
