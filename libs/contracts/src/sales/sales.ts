import { z } from 'zod';
import { currencyCode, externalId, instant, timestamp, timezone } from '../schema/primitives.ts';

/** The most buckets of one response. */
export const BUCKETS_MAX = 1_000;

export const SALES_INTERVALS = ['hour', 'day'] as const;
export type SalesInterval = (typeof SALES_INTERVALS)[number];

const about = {
  interval: z.enum(SALES_INTERVALS).default('day').describe('How long a bucket is.'),
  from: instant.describe('The first bucket is the one with this time.'),
  to: instant
    .optional()
    .describe(
      `The last bucket is the one that ends at this time, or the one with it. By default now. At most ${BUCKETS_MAX} buckets.`,
    ),
  timezone: timezone.default('UTC').describe('The time zone of hours and days.'),
  eventId: externalId.optional().describe('Only what was sold of this event.'),
  seriesId: externalId.optional().describe('Only what was sold of this series and its instances, together.'),
};

/** The query of `GET /sales`. */
export const salesQuery = ofOneThing(
  z.object({
    ...about,
    format: z.enum(['csv']).optional().describe('The buckets as text: one row for each bucket and currency.'),
  }),
);
export type SalesQuery = z.output<typeof salesQuery>;

/** The query of `GET /sales/adjustments`. */
export const adjustmentSalesQuery = ofOneThing(
  z.object({
    ...about,
    adjustmentId: externalId.optional().describe('Only this price adjustment.'),
    format: z
      .enum(['csv'])
      .optional()
      .describe('The buckets as text: one row for each price adjustment, bucket and currency.'),
  }),
);
export type AdjustmentSalesQuery = z.output<typeof adjustmentSalesQuery>;

function ofOneThing<T extends z.ZodObject<typeof about>>(query: T) {
  return query.refine(({ eventId, seriesId }) => eventId === undefined || seriesId === undefined, {
    path: ['seriesId'],
    message: 'cannot be sent with eventId: name one of them',
  });
}

const count = z.int().min(0);
const cents = z.int().min(0).describe('Minor units.');
const start = timestamp.describe('When the bucket begins.');
const currency = currencyCode;

const charge = (what: string) =>
  z.object({
    charged: cents.describe(`${what} of orders when they were placed or amended.`),
    refunded: cents.describe(`${what} of orders when they were cancelled or amended.`),
  });

const discount = z.object({
  given: cents.describe('Taken off list prices.'),
  returned: cents.describe('Of that, what belonged to orders and items that were cancelled or returned.'),
});

/** What was sold and returned, each at the time at which it happened. */
const saleNumbers = {
  orders: z.object({
    placed: count.describe('Orders that were placed, confirmed or reopened.'),
    cancelled: count.describe('Placed orders that were cancelled.'),
    expired: count.describe('Pending orders that expired. They were never placed.'),
  }),
  tickets: z.object({
    sold: count.describe('Tickets of orders that were placed, and those that amendments added.'),
    returned: count.describe('Tickets of placed orders that were cancelled, and those that amendments took away.'),
  }),
  charged: cents.describe(
    'What buyers had to pay; of an event or series, for its items alone, without fees and tax. An amendment counts with the difference.',
  ),
  refunded: cents.describe('What buyers were due back.'),
  discounts: discount,
  fees: charge('Fees').exactOptional().describe('Absent for an event or series. Part of charged and refunded.'),
  tax: charge('Tax').exactOptional().describe('Absent for an event or series. Part of charged and refunded.'),
};

const saleTotal = z.object({ currency, ...saleNumbers }).meta({ id: 'SaleTotal' });
export type SaleTotal = z.output<typeof saleTotal>;
const saleBucket = z.object({ start, currency, ...saleNumbers }).meta({ id: 'SaleBucket' });
export type SaleBucket = z.output<typeof saleBucket>;

const range = {
  interval: z.enum(SALES_INTERVALS),
  timezone: z.string(),
  from: timestamp.describe('When the first bucket begins.'),
  to: timestamp.describe('When the last bucket ends.'),
  countedUntil: timestamp.describe(
    'What happened until then is counted. Usually that is now; it is earlier while counting is behind.',
  ),
};
export type SalesRange = z.output<z.ZodObject<typeof range>>;

/** The data of `GET /sales`. */
export const sales = z
  .object({
    ...range,
    totals: z.array(saleTotal).describe('The sums of all buckets, one for each currency.'),
    buckets: z
      .array(saleBucket)
      .describe('Oldest first. A bucket in which nothing was sold or returned in a currency is left out.'),
  })
  .meta({ id: 'Sales' });
export type Sales = z.output<typeof sales>;

const adjustmentNumbers = {
  redemptions: z.object({
    redeemed: count.describe('Orders in whose price it counted, when they were placed or amended.'),
    released: count.describe('Those in which it no longer counts, because they were cancelled or amended.'),
  }),
  discounts: discount,
  surcharges: discount.describe('What it added to list prices.'),
};

const adjustmentSale = z
  .object({
    adjustmentId: z.string(),
    name: z.string().describe('As it was called when it was last redeemed.'),
    code: z.string().exactOptional().describe('The code with which it was last redeemed.'),
    currency,
    ...adjustmentNumbers,
    buckets: z.array(z.object({ start, ...adjustmentNumbers })).describe('Oldest first, without empty ones.'),
  })
  .meta({ id: 'AdjustmentSale' });
export type AdjustmentSale = z.output<typeof adjustmentSale>;

/** The data of `GET /sales/adjustments`. */
export const adjustmentSales = z
  .object({ ...range, adjustments: z.array(adjustmentSale).describe('The most redemptions first.') })
  .meta({ id: 'AdjustmentSales' });
export type AdjustmentSales = z.output<typeof adjustmentSales>;
