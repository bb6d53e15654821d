import type { CalledOffOrder } from '@event-commerce/contracts';
import { type Columns, csvWith } from '@event-commerce/service-kit';

const COLUMNS: Columns<CalledOffOrder> = {
  orderNumber: ({ orderNumber }) => orderNumber,
  email: ({ email }) => email,
  firstName: ({ firstName }) => firstName,
  lastName: ({ lastName }) => lastName,
  tickets: ({ tickets }) => tickets,
  currency: ({ currency }) => currency,
  toPayBack: ({ toPayBack }) => toPayBack,
  state: ({ state }) => state,
  why: ({ why }) => why,
  orderStatus: ({ orderStatus }) => orderStatus,
  orderId: ({ orderId }) => orderId,
};

/** Orders of a call-off as CSV. */
export const calledOffCsv = csvWith(COLUMNS);
