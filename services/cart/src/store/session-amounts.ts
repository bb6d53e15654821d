import { keyOfTenant, type Tenant } from '@event-commerce/contracts';
import { amountOf, collectionOf } from '@event-commerce/service-kit';
import { type CartModels, keyOf } from './models.ts';

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
      // In key order, everything that begins with the tenant's own key and a slash precedes the key with the next
      // character.
      amountOf(collectionOf(sessions), { _id: { $gte: keyOf(tenant, ''), $lt: `${keyOfTenant(tenant)}0` } }, bytes),
  };
}

/** The counted size of a session with prices of this many characters, which repeat what was chosen. */
export function sessionBytes(priced: string): number {
  return STEP_BYTES * Math.ceil((1_024 + 1.5 * priced.length) / STEP_BYTES);
}
