import type { CompiledConditions } from '../compiled-adjustment.ts';
import type { Refusal } from './refusal.ts';

export interface Redeemed {
  /** By everybody, pending claims included. */
  claimed: number;
  /** How many redemptions are asked for. */
  quantity: number;
  customerId: string | undefined;
  /** By this customer, pending claims included. Called only when the customer is known and a cap needs it. */
  claimedByCustomer: () => number;
}

/** Evaluation advises by this rule; the claim's own conditional write is what keeps a cap under concurrency. */
export function capRefusal(conditions: CompiledConditions, redeemed: Redeemed): Refusal | undefined {
  const { maxRedemptions, maxRedemptionsPerCustomer } = conditions;
  const { claimed, quantity, customerId } = redeemed;
  if (claimed + quantity > maxRedemptions) {
    return {
      reason: 'redemption-limit-reached',
      detail: `allows ${redemptions(maxRedemptions)} in all, ${leftOver(maxRedemptions - claimed, quantity)}`,
    };
  }
  if (maxRedemptionsPerCustomer === undefined) return undefined;
  const allowed = `allows ${redemptions(maxRedemptionsPerCustomer)} per customer`;
  if (customerId === undefined) return { reason: 'customer-missing', detail: `${allowed}, no customer was given` };
  const byCustomer = redeemed.claimedByCustomer();
  if (byCustomer + quantity > maxRedemptionsPerCustomer) {
    return {
      reason: 'customer-redemption-limit-reached',
      detail: `${allowed}, for this one ${leftOver(maxRedemptionsPerCustomer - byCustomer, quantity)}`,
    };
  }
  return undefined;
}

function redemptions(count: number): string {
  return count === 1 ? '1 redemption' : `${count} redemptions`;
}

function leftOver(left: number, asked: number): string {
  if (left <= 0) return 'none is left';
  return `${left} ${left === 1 ? 'is' : 'are'} left and ${asked} asked for`;
}
