import { z } from 'zod';
import { externalId } from './primitives.ts';

/** The body of `POST /v1/pricing/adjustments/{id}/redemptions`. */
export const redemptionInput = z.object({
  orderId: externalId,
  customerId: externalId.optional(),
  quantity: z.int().min(1).max(1_000_000).default(1),
});
export type RedemptionInput = z.output<typeof redemptionInput>;

export const REDEMPTION_STATUSES = ['confirmed', 'released', 'lapsed'] as const;
export type RedemptionStatus = (typeof REDEMPTION_STATUSES)[number];

/** One entry of the ledger. */
export interface Redemption {
  id: string;
  adjustmentId: string;
  orderId: string;
  customerId?: string;
  code?: string;
  quantity: number;
  status: RedemptionStatus;
  created: string;
}

/** How often an adjustment was redeemed, and how often it still can be; null when it has no cap. */
export interface Usage {
  redeemed: number;
  remaining: number | null;
}
