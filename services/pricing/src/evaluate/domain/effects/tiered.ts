import { ticketsNeeded } from '@event-commerce/contracts';
import { percentOf, percentUnits } from '@event-commerce/money';
import type { CompiledEffect, EffectOf } from './compiled-effect.ts';

/**
 * Applies the discount of the highest tier reached to every ticket, not only to those beyond the threshold. Fewer
 * tickets than the lowest tier needs fail the quantity rule (`quantity-below-minimum`), so at least one tier is reached
 * here.
 */
export function tiered(effect: EffectOf<'tiered'>): CompiledEffect {
  const tiers = effect.tiers
    .map((tier) => ({
      minQuantity: tier.minQuantity,
      share: tier.percent === undefined ? undefined : percentUnits(tier.percent),
      amount: tier.amount ?? 0,
    }))
    .toSorted((a, b) => b.minQuantity - a.minQuantity);
  const hasAmounts = effect.tiers.some((tier) => tier.amount !== undefined);

  return {
    amountOn(base, quantity) {
      const tier = tiers.find((candidate) => candidate.minQuantity <= quantity);
      if (tier === undefined) return 0;
      return 0 - (tier.share === undefined ? tier.amount : percentOf(base, tier.share));
    },
    minQuantity: ticketsNeeded(effect),
    currency: hasAmounts ? effect.currency : undefined,
  };
}
