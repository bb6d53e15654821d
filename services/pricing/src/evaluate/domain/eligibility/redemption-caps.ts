import { noRedemptionLeft, redemptions } from '@event-commerce/contracts';
import type { CompiledConditions } from '../../../snapshot/domain/compiled-adjustment.ts';
import type { Refusal } from './refusal.ts';

interface Redeemed {
  /** Redemptions by all customers together, pending claims included. */
  claimed: number;
  /** How many redemptions are requested. */
  quantity: number;
  /** Whether the buyer is known, so that redemptions can be counted. */
  isKnown: boolean;
  /** Redemptions by this customer, pending claims included. Called only if a cap needs it and the customer is known. */
  claimedByCustomer: () => number;
}

type Caps = Pick<CompiledConditions, 'maxRedemptions' | 'maxRedemptionsPerCustomer'>;

/** Advisory in an evaluation; under concurrency the claim's own conditional write enforces a cap. */
export function capRefusal(caps: Caps, redeemed: Redeemed): Refusal | undefined {
  const { maxRedemptions, maxRedemptionsPerCustomer } = caps;
  const { claimed, quantity, isKnown } = redeemed;
  if (claimed + quantity > maxRedemptions) {
    return {
      reason: 'redemption-limit-reached',
      detail: noRedemptionLeft({ allowed: maxRedemptions, claimed, wanted: quantity }),
    };
  }
  if (maxRedemptionsPerCustomer === undefined) return undefined;
  if (!isKnown) {
    const detail = `allows ${redemptions(maxRedemptionsPerCustomer)} per customer, no customer was given`;
    return { reason: 'customer-missing', detail };
  }
  const ofCustomer = { allowed: maxRedemptionsPerCustomer, claimed: redeemed.claimedByCustomer(), wanted: quantity };
  if (ofCustomer.claimed + quantity > maxRedemptionsPerCustomer) {
    return {
      reason: 'customer-redemption-limit-reached',
      detail: noRedemptionLeft(ofCustomer, true),
    };
  }
  return undefined;
}
