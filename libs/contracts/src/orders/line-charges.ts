import { allocate, prorate } from '@event-commerce/money';
import type { OrderShare } from './order.ts';

/** A line as it was last priced: what its tickets cost together. */
export interface BoughtLine {
  /** The price of one ticket after adjustments of single units. */
  unitPrice: number;
  bought: {
    /** How many tickets. */
    quantity: number;
    charged: number;
    /** What order-wide adjustments added to it. */
    shares: readonly OrderShare[];
    /** What it costs more because the order's price was not raised for tickets that were returned. */
    withheld: number;
  };
}

/** What some of a line's tickets cost, and its parts. */
export interface LineCharge {
  charged: number;
  shares: OrderShare[];
  withheld: number;
}

/**
 * What `remaining` of the tickets that were bought together cost. Each amount of the whole line is split evenly over
 * its tickets. The parts are differences of rounded running sums: they add up, steps in between change nothing, and all
 * tickets together cost what was charged.
 */
export function chargeOf({ unitPrice, bought }: BoughtLine, remaining: number): LineCharge {
  const { quantity, charged, shares, withheld } = bought;
  let running = 0;
  let before = 0;
  const partOf = (amount: number): number => {
    running += amount;
    const rounded = prorate(running, remaining, quantity);
    const part = rounded - before;
    before = rounded;
    return part;
  };
  const parts = shares.map(({ units, ...share }) => ({
    ...share,
    ...(units === undefined ? {} : { units: Math.min(units, remaining) }),
    total: partOf(share.total),
  }));
  const withheldPart = partOf(withheld);
  // What is left is the difference to an amount that the order states.
  partOf(charged - unitPrice * quantity - running);
  return {
    charged: unitPrice * remaining + before,
    shares: parts.filter(({ total }) => total !== 0),
    withheld: withheldPart,
  };
}

/** The fees and tax that `total` has room for: no line is charged less than nothing. */
export function chargesWithin(
  total: number,
  { fees = 0, tax = 0 }: { fees?: number | undefined; tax?: number | undefined },
): { fees: number; tax: number } {
  const taxWithin = Math.min(tax, total);
  return { fees: Math.min(fees, total - taxWithin), tax: taxWithin };
}

/**
 * `goods` as charged for lines that cost `charged`: these amounts, if they add up to it. Otherwise amounts were stated,
 * and `goods` is split in proportion to what the lines cost, or evenly over their `quantity` if they are free.
 */
export function splitGoods(lines: readonly { charged: number; quantity: number }[], goods: number): number[] {
  const charged = lines.map((line) => line.charged);
  const sum = charged.reduce((total, one) => total + one, 0);
  if (sum === goods && charged.every((one) => one >= 0)) return charged;
  const weights = charged.map((one) => Math.max(0, one));
  return allocate(goods, weights.some(Boolean) ? weights : lines.map(({ quantity }) => quantity));
}
