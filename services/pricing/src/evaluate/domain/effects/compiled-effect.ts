import type { Effect } from '@event-commerce/contracts';

export type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** An effect prepared for arithmetic: everything constant is precomputed. */
export interface CompiledEffect {
  /**
   * What the effect adds to a price, in signed minor units, before the price is limited to zero. `base` is
   * one unit's price or the order's, as `effect.per` says; `quantity` is how many tickets the adjustment applies to.
   */
  amountOn: (base: number, quantity: number) => number;
  /** The fewest tickets with which the effect can do anything. */
  minQuantity: number;
  /** The currency of its amounts, if it has any. */
  currency: string | undefined;
  /** How many of the cheapest tickets it considers; all of them if absent. */
  unitsTaken?: (quantity: number) => number;
}
