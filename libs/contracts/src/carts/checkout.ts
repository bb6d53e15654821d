import { z } from 'zod';
import { repliedRefusal } from '../errors/replied-refusal.ts';
import { offeringRecord } from '../offerings/offering.ts';
import { externalId, money, recordId, timestamp } from '../schema/primitives.ts';
import { claimRequest } from '../messages/rpc.ts';

/** `reopening`: the order's revision with which it is reopened. Absent: the order is new. */
const orderOfSession = claimRequest.omit({ revision: true }).extend({ reopening: z.int().min(1).optional() });

/** Reserves a session for an order: meanwhile only copies of the order, which have the same id, get it. */
export const checkoutRequest = orderOfSession
  .extend({
    sessionId: recordId,
    /** The version of the session that the order is for. Absent: any. */
    cartVersion: z.int().min(1).optional(),
    /** For a reopening: the table at which the order had seats, and how many, which the session takes again. */
    tableCommitmentId: externalId.optional(),
    seats: z.int().min(1).optional(),
    /** For a reopening: when the order's session was created. A later one with the same id is not found. */
    sessionCreatedAt: timestamp.optional(),
  })
  .meta({ id: 'CheckoutRequest' });
export type CheckoutRequest = z.output<typeof checkoutRequest>;

/** The content of a session when it is ordered, without prices. */
const checkedOut = z.object({
  items: z.array(
    z.object({
      offeringId: z.string(),
      name: z.string().exactOptional(),
      quantity: z.int(),
      price: money.exactOptional().describe("The item's own price, of an offering that the catalogue does not have."),
      offering: offeringRecord.exactOptional().describe('As the catalogue has it.'),
    }),
  ),
  codes: z.array(z.string()),
  currency: z.string(),
  contextId: z.string().exactOptional(),
  customerId: z.string().exactOptional(),
  customerSegment: z.string().exactOptional(),
  channelId: z.string().exactOptional(),
  tableCommitmentId: z.string().exactOptional(),
  seats: z.int().exactOptional().describe('How many seats it has there.'),
  version: z.int().describe('Of the session.'),
  sessionCreatedAt: timestamp,
});
export type CheckedOut = z.output<typeof checkedOut>;
/** Even with a `refusal`, the session is reserved. */
export const checkoutReply = z.union([checkedOut, z.object({ refusal: repliedRefusal })]).meta({ id: 'CheckoutReply' });
export type CheckoutReply = z.output<typeof checkoutReply>;

/** Ends the reservation for an order, or for this reopening of it, that was not written and never will be. */
export const releaseCheckoutRequest = orderOfSession
  .extend({ sessionId: recordId })
  .meta({ id: 'ReleaseCheckoutRequest' });
export type ReleaseCheckoutRequest = z.output<typeof releaseCheckoutRequest>;
export const releaseCheckoutReply = z.object({}).meta({ id: 'ReleaseCheckoutReply' });

/** The order is over up to this reopening of it; 0 for none. */
export const endCheckoutRequest = z
  .object({ sessionId: recordId, orderId: externalId, reopening: z.int().min(0) })
  .meta({ id: 'EndCheckoutRequest' });
export type EndCheckoutRequest = z.output<typeof endCheckoutRequest>;
export const endCheckoutReply = z.object({}).meta({ id: 'EndCheckoutReply' });
