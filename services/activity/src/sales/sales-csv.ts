import type { AdjustmentSales, Sales, Streamed } from '@event-commerce/contracts';
import { csvRow } from '@event-commerce/service-kit';

/** The buckets of sales as CSV (RFC 4180): one row for each bucket and currency. Amounts are minor units. */
export function salesCsv({ buckets }: Sales): Streamed {
  const header = [
    'start',
    'currency',
    'ordersPlaced',
    'ordersCancelled',
    'ordersExpired',
    'ticketsSold',
    'ticketsReturned',
    'charged',
    'refunded',
    'discountsGiven',
    'discountsReturned',
    'feesCharged',
    'feesRefunded',
    'taxCharged',
    'taxRefunded',
  ];
  return csv(
    header,
    buckets.map(({ start, currency, orders, tickets, charged, refunded, discounts, fees, tax }) => [
      start,
      currency,
      orders.placed,
      orders.cancelled,
      orders.expired,
      tickets.sold,
      tickets.returned,
      charged,
      refunded,
      discounts.given,
      discounts.returned,
      fees?.charged,
      fees?.refunded,
      tax?.charged,
      tax?.refunded,
    ]),
  );
}

/** The buckets of adjustments as CSV: one row for each adjustment, bucket and currency. */
export function adjustmentSalesCsv({ adjustments }: AdjustmentSales): Streamed {
  const header = [
    'start',
    'adjustmentId',
    'name',
    'code',
    'currency',
    'redeemed',
    'released',
    'discountsGiven',
    'discountsReturned',
    'surchargesGiven',
    'surchargesReturned',
  ];
  const rows = adjustments.flatMap(({ adjustmentId, name, code, currency, buckets }) =>
    buckets.map(({ start, redemptions, discounts, surcharges }) => [
      start,
      adjustmentId,
      name,
      code,
      currency,
      redemptions.redeemed,
      redemptions.released,
      discounts.given,
      discounts.returned,
      surcharges.given,
      surcharges.returned,
    ]),
  );
  return csv(header, rows);
}

function csv(header: readonly string[], rows: readonly (readonly (string | number | undefined)[])[]): Streamed {
  return { type: 'text/csv; charset=utf-8; header=present', body: lines() };
  // oxlint-disable-next-line require-await
  async function* lines(): AsyncGenerator<string> {
    yield [header, ...rows].map(csvRow).join('');
  }
}
