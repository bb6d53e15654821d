import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/** Adds the same amount to any base. */
export function amountSurcharge(effect: EffectOf<'amount_surcharge'>): CompiledEffect {
  const { amount } = effect;
  return { amountOn: () => amount, minQuantity: 0, currency: effect.currency };
}
