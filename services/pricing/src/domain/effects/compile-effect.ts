import type { Effect } from '@event-commerce/contracts';
import { amountOff } from './amount-off.ts';
import { amountSurcharge } from './amount-surcharge.ts';
import { buyXGetY } from './buy-x-get-y.ts';
import { fixedPrice } from './fixed-price.ts';
import { percentageOff } from './percentage-off.ts';
import { percentageSurcharge } from './percentage-surcharge.ts';
import { tiered } from './tiered.ts';

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

const COMPILERS: { [Kind in Effect['kind']]: (effect: EffectOf<Kind>) => CompiledEffect } = {
  percentage_off: percentageOff,
  amount_off: amountOff,
  fixed_price: fixedPrice,
  percentage_surcharge: percentageSurcharge,
  amount_surcharge: amountSurcharge,
  tiered,
  buy_x_get_y: buyXGetY,
};

export function compileEffect(effect: Effect): CompiledEffect {
  // TypeScript does not see that the compiler found under a kind takes effects of that kind.
  const compile = COMPILERS[effect.kind] as (effect: Effect) => CompiledEffect;
  return withCap(compile(effect), effect.maxAmount);
}

/** `maxAmount` limits what is taken off: it never makes a surcharge smaller. */
function withCap(compiled: CompiledEffect, maxAmount: number | undefined): CompiledEffect {
  if (maxAmount === undefined) return compiled;
  const { amountOn } = compiled;
  return { ...compiled, amountOn: (base, quantity) => Math.max(amountOn(base, quantity), 0 - maxAmount) };
}
