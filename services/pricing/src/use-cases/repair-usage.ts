import { compareCounters, type Difference } from '@event-commerce/claims';
import { companyIdOf, environmentOf, type KeyEnvironment, type Tenant } from '@event-commerce/contracts';
import type { PricingModels } from '../store/models.ts';
import { redemptionCollections } from '../store/redemption-pools.ts';

/** Counters that differ from the sum of the ledger and the pending claims: an adjustment's, or one customer's of it. */
export interface UsageDifference extends Omit<Difference, 'companyId' | 'poolId'> {
  adjustmentId: string;
  companyId: string;
  environment: KeyEnvironment;
}

/** Compares every adjustment's and every customer's counters with the ledger; corrects them with `repair`. */
export async function* repairUsage(
  models: PricingModels,
  { repair, tenant }: { repair: boolean; tenant?: Tenant | undefined },
): AsyncGenerator<UsageDifference> {
  const differences = compareCounters(redemptionCollections(models), { repair, companyId: tenant });
  for await (const { companyId, poolId: adjustmentId, ...difference } of differences) {
    yield {
      adjustmentId,
      companyId: companyIdOf(companyId),
      environment: environmentOf(companyId),
      ...difference,
    };
  }
}
