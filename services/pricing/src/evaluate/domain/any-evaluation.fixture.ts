import type { Adjustment } from '@event-commerce/contracts';
import fc from 'fast-check';
import { OPTIONS, someAdjustments, someCart } from './adjustments.fixture.ts';
import { type CartPrice, priceCart, type PriceOptions } from './price.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

export const ANY_STACKING: Adjustment['stacking'][] = [
  'stackable',
  'stackable',
  'stackable',
  'replace-within-category',
  'replace-within-category',
  'replace-within-category',
  'exclusive',
];
const unlike = someAdjustments(14, { stacking: ANY_STACKING });
/** Adjustments that all share one code: each active one, together with the scheduled ones. */
export const sharingACode = someAdjustments(5, { stacking: ANY_STACKING }).map((all) =>
  all.map((one): Adjustment => ({ ...one, conditions: { ...one.conditions, code: 'SUMMER' } })),
);
export const adjustments = fc.oneof({ weight: 6, arbitrary: unlike }, { weight: 1, arbitrary: sharingACode });
export const cart = someCart(4);
export const options: PriceOptions = { ...OPTIONS, customerUsage: (id) => id.length % 3 };

export function appliedIds({ lines, perOrderModifiers }: CartPrice): Set<string> {
  const modifiers = [...lines.flatMap((line) => line.perUnitModifiers), ...perOrderModifiers];
  return new Set(modifiers.map((modifier) => modifier.adjustmentId));
}

export function forEveryEvaluation(check: (evaluation: CartPrice, all: Adjustment[]) => void): void {
  fc.assert(
    fc.property(adjustments, cart, (all, request) => {
      check(priceCart(new CompanySnapshot(all), request, options), all);
    }),
    { numRuns: 1000 },
  );
}
