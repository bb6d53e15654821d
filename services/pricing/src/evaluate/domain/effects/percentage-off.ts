import { percentOf, percentUnits } from '@event-commerce/money';
import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/** Deducts a percentage, rounded half away from zero on this adjustment's own amount. */
export function percentageOff(effect: EffectOf<'percentage_off'>): CompiledEffect {
  const share = percentUnits(effect.percent);
  return { amountOn: (base) => 0 - percentOf(base, share), minQuantity: 0, currency: undefined };
}
