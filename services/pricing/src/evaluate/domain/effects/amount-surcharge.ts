import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/** Adds the same amount whatever the base is. */
export function amountSurcharge(effect: EffectOf<'amount_surcharge'>): CompiledEffect {
  const { amount } = effect;
  return { amountOn: () => amount, minQuantity: 0, currency: effect.currency };
}
