import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/** Deducts the same amount from any base. */
export function amountOff(effect: EffectOf<'amount_off'>): CompiledEffect {
  const amount = 0 - effect.amount;
  return { amountOn: () => amount, minQuantity: 0, currency: effect.currency };
}
