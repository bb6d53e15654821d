import type { OrderShare } from '@event-commerce/contracts';
import { prorate } from '@event-commerce/money';

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
 * What `remaining` of the tickets that were bought together cost. Each amount of the whole line is split evenly over its
 * tickets. The parts are differences of rounded running sums: they add up, steps in between change nothing, and all
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
  const parts = shares.map((share) => ({ ...share, total: partOf(share.total) }));
  const withheldPart = partOf(withheld);
  // What is left is the difference to an amount that the order states.
  partOf(charged - unitPrice * quantity - running);
  return {
    charged: unitPrice * remaining + before,
    shares: parts.filter(({ total }) => total !== 0),
    withheld: withheldPart,
  };
}
