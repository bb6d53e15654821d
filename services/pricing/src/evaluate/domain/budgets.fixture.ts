import type { Adjustment } from '@event-commerce/contracts';
import fc from 'fast-check';
import type { KeptBudget } from '../../budgets/domain/budget.ts';
import { someAdjustments } from './adjustments.fixture.ts';
import { ANY_STACKING } from './any-evaluation.fixture.ts';
import { aBudget } from './price.fixture.ts';

export const BUDGET_IDS = ['bud_1', 'bud_2'] as const;

const someBudget = (id: string) =>
  fc
    .record({
      amount: fc.integer({ min: 0, max: 8_000 }),
      onExhausted: fc.constantFrom('drop' as const, 'partial' as const),
      per: fc.constantFrom('total' as const, 'total' as const, 'customer' as const, 'day' as const),
    })
    .map(({ amount, ...budget }): KeptBudget => aBudget({ id, limit: { amount, currency: 'EUR' }, ...budget }));

/** One budget of each id, about as large as discounts of `someCart`. */
export const someBudgets = fc.tuple(...BUDGET_IDS.map(someBudget));

/** Adjustments, about two thirds of which draw on a budget. */
const drawing = (kinds: Parameters<typeof someAdjustments>[1]) =>
  fc
    .tuple(
      someAdjustments(8, { stacking: ANY_STACKING, ...kinds }),
      fc.infiniteStream(fc.constantFrom(undefined, ...BUDGET_IDS)),
    )
    .map(([all, ids]) =>
      all.map((one): Adjustment => {
        const budgetId = ids.next().value;
        const isSurcharge = one.effect.kind.endsWith('surcharge');
        return budgetId === undefined || isSurcharge ? one : { ...one, conditions: { ...one.conditions, budgetId } };
      }),
    );

export const someDrawing = drawing({});
/** Only caps and budgets decide which of them count: prices often depend on what was claimed. */
export const manyCapped = drawing({ minLength: 4, conditions: 'caps' });
