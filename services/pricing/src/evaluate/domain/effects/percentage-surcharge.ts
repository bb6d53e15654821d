import { percentOf, percentUnits } from '@event-commerce/money';
import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/** Adds a percentage, rounded half away from zero on this adjustment's own amount. */
export function percentageSurcharge(effect: EffectOf<'percentage_surcharge'>): CompiledEffect {
  const share = percentUnits(effect.percent);
  return { amountOn: (base) => percentOf(base, share), minQuantity: 0, currency: undefined };
}
