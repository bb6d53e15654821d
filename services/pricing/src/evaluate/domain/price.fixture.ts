import type { Adjustment, DroppedAdjustment, EvaluateRequest } from '@event-commerce/contracts';
import { expect } from 'vitest';
import { anAdjustment, OPTIONS } from './adjustments.fixture.ts';
import { priceOffering, type PriceOptions } from './price.ts';
import { CompanySnapshot } from '../../snapshot/domain/snapshot.ts';

/** What `request` costs under `adjustments`. */
export function price(
  adjustments: Parameters<typeof anAdjustment>[0][],
  request: EvaluateRequest,
  options: Partial<PriceOptions> = {},
) {
  return priceOffering(new CompanySnapshot(adjustments.map(anAdjustment)), request, { ...OPTIONS, ...options });
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
