import type { Effect } from '@event-commerce/contracts';
import { amountOff } from './amount-off.ts';
import { amountSurcharge } from './amount-surcharge.ts';
import { buyXGetY } from './buy-x-get-y.ts';
import type { CompiledEffect, EffectOf } from './compiled-effect.ts';
import { fixedPrice } from './fixed-price.ts';
import { percentageOff } from './percentage-off.ts';
import { percentageSurcharge } from './percentage-surcharge.ts';
import { tiered } from './tiered.ts';

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
  // TypeScript cannot see that the compiler of a kind takes effects of that kind.
  const compile = COMPILERS[effect.kind] as (effect: Effect) => CompiledEffect;
  return withCap(compile(effect), effect);
}

/**
 * `maxAmount` limits discounts; it never makes a surcharge smaller. It is in the effect's currency, if the effect has
 * one.
 */
function withCap(compiled: CompiledEffect, effect: Effect): CompiledEffect {
  const { maxAmount } = effect;
  if (maxAmount === undefined) return compiled;
  const { amountOn } = compiled;
  const currency = 'currency' in effect ? effect.currency : undefined;
  return { ...compiled, currency, amountOn: (base, quantity) => Math.max(amountOn(base, quantity), 0 - maxAmount) };
}
