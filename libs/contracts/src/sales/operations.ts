import { type Declarations, operations } from '../operations/operation.ts';
import { EVENT } from '../events/operations.ts';
import { adjustmentSales, adjustmentSalesQuery, sales, salesQuery } from './sales.ts';

const COUNTED =
  'Everything counts at the time at which it happened: an order when it is placed, confirmed or reopened; what it gives back when it is cancelled or amended. A pending order counts once it is confirmed. Orders are counted as they change, within a second; `countedUntil` says how far.';

export const SALES_OPERATIONS = operations('activity', 'Sales', {
  getSales: {
    method: 'GET',
    path: '/sales',
    summary: 'Count sales over time',
    description: [
      'Orders, tickets, revenue and discounts by hour or day: of all orders, of an event, or of a series with its instances.',
      COUNTED,
      'What was sold and what was returned are counted apart: subtract one from the other to get what stands. An order with items of several events counts for each of them with its items; fees and tax belong to the order, and count only in the sales of all.',
    ].join('\n\n'),
    scope: 'orders:read',
    query: salesQuery,
    answer: {
      statuses: { 200: 'The sales of the range.' },
      data: sales,
      streams: { 'text/csv': 'One row for each bucket and currency (RFC 4180).' },
    },
    examples: {
      day: {
        summary: 'What an event sold by day',
        query: { from: '2027-07-01T00:00:00Z', to: '2027-08-01T00:00:00Z', eventId: EVENT, timezone: 'Europe/Berlin' },
      },
    },
  },
  getSalesByAdjustment: {
    method: 'GET',
    path: '/sales/adjustments',
    summary: 'Count redemptions over time',
    description: [
      'How often each price adjustment was redeemed by hour or day, coupons included, and what it took off or added.',
      COUNTED,
    ].join('\n\n'),
    scope: 'orders:read',
    query: adjustmentSalesQuery,
    answer: {
      statuses: { 200: 'The redemptions of the range.' },
      data: adjustmentSales,
      streams: { 'text/csv': 'One row for each price adjustment, bucket and currency (RFC 4180).' },
    },
    examples: {
      day: {
        summary: 'What codes and discounts did by day',
        query: { from: '2027-07-01T00:00:00Z', to: '2027-08-01T00:00:00Z' },
      },
    },
  },
} satisfies Declarations);
