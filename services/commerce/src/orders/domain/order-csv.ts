import type { Order } from '@event-commerce/contracts';

type Cell = string | number | undefined;

/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and after what it may read as the end of a cell.
 */
const FORMULA = /(^|[;\t\r\n])(?=(?:[^\S\t\r\n]|")*[=+\-@])|^(?=[\t\r])/g;

/** What each column shows of a record, by its name. */
export type Columns<T> = Readonly<Record<string, (record: T) => Cell>>;

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
  return { header: row(Object.keys(columns)), line: (record: T) => row(cells.map((cell) => cell(record))) };
}

/** Orders as CSV. */
export const ORDERS_CSV = csvWith(COLUMNS);

function row(cells: readonly Cell[]): string {
  return `${cells.map(escaped).join(',')}\r\n`;
}

/** Escapes what a spreadsheet would read as a formula, so that it shows as text. */
function escaped(cell: Cell = ''): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell.replaceAll(FORMULA, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
