import type { Money } from '@event-commerce/contracts';
import type { CompiledAdjustment } from '../compiled-adjustment.ts';
import type { Refusal } from './refusal.ts';

/** What one evaluation knows about the buyer and the moment. */
export interface Circumstances {
  nowMs: number;
  /** The codes presented, in upper case. */
  codes: ReadonlySet<string>;
  /** The currency of the prices. */
  currency: string;
  customerId: string | undefined;
  customerSegment: string | undefined;
  channelId: string | undefined;
  orderTotal: Money | undefined;
  /** How often everybody together has claimed an adjustment, pending claims included. Asked only when a cap needs it. */
  claimed: (adjustmentId: string) => number;
  /** How often this customer has claimed an adjustment. Asked only when the customer is known and a cap needs it. */
  customerUsage: (adjustmentId: string) => number;
}

/** `quantity`: how many tickets of the cart the adjustment applies to. Answers undefined when the rule is satisfied. */
export type Rule = (
  adjustment: CompiledAdjustment,
  circumstances: Circumstances,
  quantity: number,
) => Refusal | undefined;
