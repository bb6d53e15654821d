import { LIVE_STATUSES, type Tenant } from '@event-commerce/contracts';
import { collectionOf, countOf } from '@event-commerce/service-kit';
import type { definition } from './adjustment-record.ts';
import type { PricingModels } from '../models.ts';

export type AdjustmentQuota = 'adjustments' | 'liveAdjustments';

/** How many adjustments a tenant has, and how many of them are live: live ones take up pricing's memory. */
export function adjustmentAmounts({ adjustments }: PricingModels) {
  const collection = collectionOf(adjustments);
  return {
    adjustments: async (tenant: Tenant) => countOf(collection, { companyId: tenant }),
    liveAdjustments: async (tenant: Tenant) =>
      countOf(collection, { companyId: tenant, status: { $in: LIVE_STATUSES } }),
  };
}

type Definition = ReturnType<typeof definition>;

/** What is stored in addition when `before` becomes `after`. */
export function growth(before: Definition | undefined, after: Definition) {
  return { liveAdjustments: liveCount(after) - liveCount(before), adjustments: before === undefined ? 1 : 0 };
}

function liveCount(defined: Definition | undefined): number {
  return defined !== undefined && LIVE_STATUSES.includes(defined.status) ? 1 : 0;
}
