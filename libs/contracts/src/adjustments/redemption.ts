import { z } from 'zod';
import { couponCode } from '../schema/codes.ts';
import { email } from '../schema/email.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { externalId, listQuery, positive, SUBTOTAL_MAX, timestamp } from '../schema/primitives.ts';

/** The body of `POST /v1/pricing/adjustments/{id}/redemptions`. */
export const redemptionInput = z
  .object({
    orderId: externalId,
    customerId: externalId.optional(),
    customerEmail: email.optional().describe('For an adjustment whose limits per customer go by the e-mail address.'),
    quantity: positive.default(1),
    code: couponCode
      .optional()
      .describe('The issued code that was used. Required for the adjustment of a coupon with a code for each buyer.'),
    tickets: positive
      .optional()
      .describe('For how many tickets it counts. Required for an adjustment whose tickets are limited.'),
    amount: z
      .int()
      .min(1)
      .max(SUBTOTAL_MAX)
      .optional()
      .describe('How much it took off, in minor units. Required for an adjustment with a budget.'),
  })
  .register(memberNotes, { answer: () => redemption.shape })
  .meta({ id: 'RedemptionInput' });
export type RedemptionInput = z.output<typeof redemptionInput>;

const REDEMPTION_STATUSES = ['held', 'confirmed', 'released', 'lapsed'] as const;

/** One entry of the ledger. */
export const redemption = z
  .object({
    id: z.string(),
    adjustmentId: z.string(),
    orderId: z.string(),
    customerId: z.string().exactOptional(),
    code: z.string().exactOptional().describe('Absent if the API key lacks pricing:read.'),
    quantity: z.int(),
    status: z.enum(REDEMPTION_STATUSES),
    created: timestamp,
  })
  .meta({ id: 'Redemption' });
export type Redemption = z.output<typeof redemption>;

export const redemptionListQuery = listQuery({}, () => redemption);

/** How often an adjustment was redeemed, and how often it still can be. */
const usage = z
  .object({
    redeemed: z.int(),
    remaining: z.int().nullable().describe('Null when it has no cap.'),
  })
  .meta({ id: 'Usage' });
export type Usage = z.output<typeof usage>;

/** The usage of an adjustment as it is read. */
export const adjustmentUsage = usage
  .extend({
    claimed: z.int().describe('Redeemed, or held by orders that are pending or being placed.'),
    tickets: z
      .object({
        claimed: z.int().describe('The tickets for which it counts in orders that stand, or are being placed.'),
        remaining: z.int().nullable().describe('Null without `maxTickets`.'),
      })
      .exactOptional()
      .describe('Only for one with `maxTickets` or `maxTicketsPerCustomer`.'),
  })
  .meta({ id: 'AdjustmentUsage' });
export type AdjustmentUsage = z.output<typeof adjustmentUsage>;

/** The response to redeeming or releasing. */
export const redeemed = z.object({ redemption, usage }).meta({ id: 'Redeemed' });

/**
 * Why a cap leaves no room, as the rest of a sentence that begins with the adjustment's name. `perCustomer`: the cap of
 * one customer.
 */
export function noRedemptionLeft(counts: Counts, perCustomer = false): string {
  return noneLeft(redemptions(counts.allowed), counts, perCustomer);
}

/** The same for a limit of tickets. */
export function noTicketLeft(counts: Counts, perCustomer = false): string {
  return noneLeft(counts.allowed === 1 ? '1 ticket' : `${counts.allowed} tickets`, counts, perCustomer);
}

interface Counts {
  allowed: number;
  claimed: number;
  wanted: number;
}

function noneLeft(all: string, { allowed, claimed, wanted }: Counts, perCustomer: boolean): string {
  const left = allowed - claimed;
  const rest = left <= 0 ? 'none is left' : `${left} ${left === 1 ? 'is' : 'are'} left and ${wanted} asked for`;
  return `allows ${all} ${perCustomer ? 'per customer, for this one' : 'in all,'} ${rest}`;
}

/** `3 redemptions`, `1 redemption`. */
export function redemptions(count: number): string {
  return count === 1 ? '1 redemption' : `${count} redemptions`;
}

/** Says that an adjustment has ended, as the rest of a sentence that begins with its name. Epoch milliseconds. */
export function noLongerValid(endedAtMs: number, nowMs: number): string {
  return `ended at ${new Date(endedAtMs).toISOString()}, it is ${new Date(nowMs).toISOString()}`;
}
