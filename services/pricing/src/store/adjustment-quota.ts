import { LIVE_STATUSES, type Tenant } from '@event-commerce/contracts';
import { amountOf, collectionOf, storedBytes } from '@event-commerce/service-kit';
import type { definition } from './adjustment-record.ts';
import type { PricingModels } from './models.ts';

export type AdjustmentQuota = 'adjustments' | 'liveAdjustments';

/** How many adjustments a tenant has, and how many of them are live: those count by their use of pricing's memory. */
export function adjustmentAmounts({ adjustments }: PricingModels) {
  const collection = collectionOf(adjustments);
  return {
    adjustments: async (tenant: Tenant) => amountOf(collection, { companyId: tenant }),
    liveAdjustments: async (tenant: Tenant) =>
      amountOf(collection, { companyId: tenant, status: { $in: LIVE_STATUSES } }, '$memoryBytes'),
  };
}

type Definition = ReturnType<typeof definition>;

/** What is stored in addition when `before` becomes `after`. */
export function growth(before: Definition | undefined, after: Definition) {
  const [liveBefore, liveAfter] = [liveBytes(before), liveBytes(after)];
  return {
    liveAdjustments: {
      count: Number(liveAfter > 0) - Number(liveBefore > 0),
      bytes: liveAfter - liveBefore,
    },
    adjustments: {
      count: before === undefined ? 1 : 0,
      bytes: adjustmentBytes(after) - (before === undefined ? 0 : adjustmentBytes(before)),
    },
  };
}

/** Counts every status as the longest one: to pause or archive an adjustment takes no room. */
function adjustmentBytes(defined: Definition): number {
  return storedBytes({ ...defined, status: 'scheduled' });
}

function liveBytes(defined: Definition | undefined): number {
  return defined !== undefined && LIVE_STATUSES.includes(defined.status) ? defined.memoryBytes : 0;
}
