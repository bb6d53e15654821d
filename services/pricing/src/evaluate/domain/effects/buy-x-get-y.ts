import { ticketsNeeded } from '@event-commerce/contracts';
import { percentOf, percentUnits } from '@event-commerce/money';
import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/**
 * Of every `buy + get` tickets, `get` are discounted. If their prices differ these are the cheapest: the base is the
 * sum of their prices. Fewer than `buy + get` tickets fail the quantity rule (`quantity-below-minimum`).
 */
export function buyXGetY(effect: EffectOf<'buy_x_get_y'>): CompiledEffect {
  const share = percentUnits(effect.percent);
  const groupSize = effect.buy + effect.get;
  return {
    amountOn: (base) => 0 - percentOf(base, share),
    unitsTaken: (quantity) => Math.floor(quantity / groupSize) * effect.get,
    minQuantity: ticketsNeeded(effect),
    currency: undefined,
  };
}
