import type { Evaluation, EvaluateRequest } from '@event-commerce/contracts';
import { PlatformError } from '@event-commerce/contracts';
import { adjustmentsNeedingCustomerUsage, priceOffering } from '../domain/price.ts';
import type { RedemptionRepository } from '../store/redemption.repository.ts';
import type { SnapshotCache } from '../store/snapshot-cache.ts';

export interface EvaluateDeps {
  snapshots: SnapshotCache;
  redemptions: Pick<RedemptionRepository, 'customerClaims'>;
  clock: () => Date;
  defaultCurrency: string;
}

/**
 * Prices one offering: reads, changes nothing. `dropped` chooses whether adjustments for other offerings are listed too.
 *
 * @throws {PlatformError} FORBIDDEN when the offering names another company
 */
export async function evaluatePrice(
  deps: EvaluateDeps,
  companyId: string,
  request: EvaluateRequest,
  dropped: 'all' | 'candidates',
): Promise<Evaluation> {
  const { offering, cartContext } = request;
  if (offering.companyId !== undefined && offering.companyId !== companyId) {
    throw new PlatformError('FORBIDDEN', 'offering.companyId is not the company of this API key.', {
      details: [
        { path: 'offering.companyId', message: 'is not the company of this API key; leave it out or send that one' },
      ],
    });
  }
  const snapshot = await deps.snapshots.get(companyId);
  const { customerId } = cartContext;
  const capped = customerId === undefined ? [] : adjustmentsNeedingCustomerUsage(snapshot, request);
  const usage =
    customerId === undefined || capped.length === 0
      ? undefined
      : await deps.redemptions.customerClaims(capped, customerId);
  return priceOffering(snapshot, request, {
    now: cartContext.now ?? deps.clock().toISOString(),
    defaultCurrency: deps.defaultCurrency,
    customerUsage: (adjustmentId) => usage?.get(adjustmentId) ?? 0,
    dropped,
  });
}
