import type { Money } from '@event-commerce/contracts';
import type { Candidate } from '../candidate.ts';
import type { KeptBudget } from '../../../budgets/domain/budget.ts';
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
  /** The key of the share of the customer's e-mail address. */
  customerEmail: string | undefined;
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
  /** A budget, by its id. */
  budgetOf: (budgetId: string) => KeptBudget | undefined;
  /** How much of an adjustment's tickets, or of a budget, the order already has. Absent: nothing. */
  own?: ((id: string) => number) | undefined;
  /** What this order's claims got of an adjustment's tickets, or of a budget's pool, that ran short. */
  granted?: ReadonlyMap<string, number> | undefined;
}

/** `applies`: the part of the cart that the adjustment applies to. Returns undefined if the rule is satisfied. */
export type Rule = (
  adjustment: CompiledAdjustment,
  context: EvaluationContext,
  applies: Pick<Candidate, 'lines' | 'quantity'>,
) => Refusal | undefined;
