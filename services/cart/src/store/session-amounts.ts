import type { Tenant } from '@event-commerce/contracts';
import { amountOf, collectionOf } from '@event-commerce/service-kit';
import { type CartModels, keysBefore } from './models.ts';

/**
 * Sessions are counted in steps of this many bytes, so that most changes of a cart do not change the count, and cost
 * nothing.
 */
const STEP_BYTES = 4_096;

/** How many open sessions a tenant has. Expired ones disappear on their own, and a recount notices. */
export function sessionAmounts({ sessions }: CartModels) {
  const bytes = { $multiply: [STEP_BYTES, { $ceil: { $divide: [{ $bsonSize: '$$ROOT' }, STEP_BYTES] } }] };
  return {
    openCarts: async (tenant: Tenant) =>
      amountOf(collectionOf(sessions), { companyId: tenant, _id: keysBefore(tenant) }, bytes),
  };
}

/** The counted size of a session with prices of this many characters, which repeat what was chosen. */
export function sessionBytes(priced: string): number {
  return STEP_BYTES * Math.ceil((1_024 + 1.5 * priced.length) / STEP_BYTES);
}
