import type { Money } from '@event-commerce/contracts';
import type { Candidate } from '../candidate.ts';
import type { CompiledAdjustment } from '../../../snapshot/domain/compiled-adjustment.ts';
import type { Refusal } from './refusal.ts';

/** What one evaluation knows about the buyer and the moment. */
export interface EvaluationContext {
  nowMs: number;
  /** The keys of the presented codes. */
  codes: ReadonlySet<string>;
  /** The adjustments that the codes redeem. */
  holders: ReadonlyMap<string, CompiledAdjustment>;
  /** The currency of the prices. */
  currency: string;
  customerId: string | undefined;
  customerSegment: string | undefined;
  channelId: string | undefined;
  orderTotal: Money | undefined;
  /** How many tickets the cart has, for all offerings together. */
  tickets: number;
  /**
   * What all customers together have claimed of a pool, pending claims included. Called only if a cap needs it.
   */
  claimed: (poolId: string) => number;
  /** What this customer has claimed of a pool. Called only if the customer is known and a cap needs it. */
  customerUsage: (poolId: string) => number;
  /** How many of the claimed tickets of an adjustment the order has already. Absent: none. */
  own?: ((adjustmentId: string) => number) | undefined;
  /** Of adjustments whose tickets ran short for this order: how many its claim got. */
  granted?: ReadonlyMap<string, number> | undefined;
}

/** `applies`: what of the cart the adjustment applies to. Returns undefined if the rule is satisfied. */
export type Rule = (
  adjustment: CompiledAdjustment,
  context: EvaluationContext,
  applies: Pick<Candidate, 'lines' | 'quantity'>,
) => Refusal | undefined;
