import type { Adjustment, DroppedAdjustment, EvaluateRequest } from '@event-commerce/contracts';
import { expect } from 'vitest';
import type { KeptBudget } from '../../budgets/domain/budget.ts';
import { anAdjustment, OPTIONS } from './adjustments.fixture.ts';
import { IssuedAdjustments, type PresentedCode } from './issued-adjustments.ts';
import { priceOffering, type PriceOptions } from './price.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

/** A budget of 15.00 EUR for all orders, which drops adjustments that would take more. */
export function aBudget(changes: Partial<KeptBudget> = {}): KeptBudget {
  const limit = { amount: 1_500, currency: 'EUR' };
  return { id: 'bud_1', limit, per: 'total', timezone: 'UTC', onExhausted: 'drop', version: 1, ...changes };
}

/** What `request` costs under `adjustments`, some of which have `issued` codes. */
export function price(
  adjustments: Parameters<typeof anAdjustment>[0][],
  request: EvaluateRequest,
  options: Partial<PriceOptions> = {},
  issued: readonly PresentedCode[] = [],
  budgets: readonly KeptBudget[] = [],
) {
  const snapshot = new CompanySnapshot(adjustments.map(anAdjustment), budgets);
  const redeemed = new IssuedAdjustments(snapshot, request.cartContext.codes ?? [], issued);
  return priceOffering(issued.length === 0 ? snapshot : redeemed, request, { ...OPTIONS, ...options });
}

/** Why the only adjustment was dropped. */
export function whyDropped(
  adjustment: Omit<Partial<Adjustment>, 'id'>,
  request: EvaluateRequest,
  options: Partial<PriceOptions> = {},
): Pick<DroppedAdjustment, 'reason' | 'detail'> {
  const { droppedAdjustments } = price([{ id: 'adj', ...adjustment }], request, options);
  expect(droppedAdjustments).toHaveLength(1);
  const { reason, detail } = droppedAdjustments[0] as DroppedAdjustment;
  return { reason, detail };
}
