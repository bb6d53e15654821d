import { z } from 'zod';

const amount = z.int().min(0).exactOptional();

/** What orders add up to: each a whole number above 0, or absent. Amounts are minor units. */
export const saleCounts = z.object({
  /** Orders; for an adjustment, those that redeemed it. */
  orders: amount,
  tickets: amount,
  /** Everything; for an event or a series, what is charged for its items. Not for an adjustment. */
  charged: amount,
  /** Off the list prices. */
  discounts: amount,
  /** On the list prices. */
  surcharges: amount,
  fees: amount,
  tax: amount,
});
export type SaleCounts = z.output<typeof saleCounts>;

/** What a change of an order adds to the counts of one thing, and takes back from them. */
const saleChange = z.object({
  /** The event or series; absent: all orders. */
  eventId: z.string().exactOptional(),
  seriesId: z.string().exactOptional(),
  /** What an adjustment did; absent: everything. */
  adjustment: z.object({ id: z.string(), name: z.string(), code: z.string().exactOptional() }).exactOptional(),
  added: saleCounts.exactOptional(),
  returned: saleCounts.exactOptional(),
  /** Whether the order was pending and expired. */
  expired: z.literal(true).exactOptional(),
});
export type SaleChange = z.output<typeof saleChange>;

/** What a change of an order changes in the counts of sales. */
export const orderSale = z.object({ currency: z.string(), changes: z.array(saleChange) });
export type OrderSale = z.output<typeof orderSale>;
