import type { Order } from '@event-commerce/contracts';
import { type CsvCell, csvRow } from '@event-commerce/service-kit';

/** What each column shows of a record, by its name. */
export type Columns<T> = Readonly<Record<string, (record: T) => CsvCell>>;

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

/** Records as CSV (RFC 4180): the header, and each record as one line. Amounts are minor units. */
export function csvWith<T>(columns: Columns<T>) {
  const cells = Object.values(columns);
  return { header: csvRow(Object.keys(columns)), line: (record: T) => csvRow(cells.map((cell) => cell(record))) };
}

/** Orders as CSV. */
export const ORDERS_CSV = csvWith(COLUMNS);
