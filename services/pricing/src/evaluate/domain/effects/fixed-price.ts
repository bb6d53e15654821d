import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/** Lowers the base to a fixed price. It never raises one: below the fixed price it does nothing. */
export function fixedPrice(effect: EffectOf<'fixed_price'>): CompiledEffect {
  const { amount } = effect;
  return { amountOn: (base) => Math.min(amount - base, 0), minQuantity: 0, currency: effect.currency };
}
