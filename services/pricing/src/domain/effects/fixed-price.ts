import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/** Brings the base down to a price. A fixed price never raises one: above the base it does nothing. */
export function fixedPrice(effect: EffectOf<'fixed_price'>): CompiledEffect {
  const { amount } = effect;
  return { amountOn: (base) => Math.min(amount - base, 0), minQuantity: 0, currency: effect.currency };
}
