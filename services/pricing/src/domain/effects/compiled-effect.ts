import type { Effect } from '@event-commerce/contracts';

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** An effect made ready for arithmetic: what can be worked out once is worked out. */
export interface CompiledEffect {
  /**
   * What the effect adds to a price, in signed minor units, before the price is kept from falling below zero. `base` is
   * one unit's price or the order's, as `effect.per` says; `quantity` is how many tickets the adjustment applies to.
   */
  amountOn: (base: number, quantity: number) => number;
  /** The fewest tickets with which the effect can do anything. */
  minQuantity: number;
  /** The currency of its amounts, when it has any. */
  currency: string | undefined;
  /** How many of the cheapest tickets it looks at; all of them when absent. */
  unitsTaken?: (quantity: number) => number;
}
