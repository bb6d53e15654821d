import { z } from 'zod';
import { offeringRecord } from '../offerings/offering.ts';
import { externalId, money, recordId, timestamp } from '../schema/primitives.ts';
import { claimRequest } from '../messages/rpc.ts';

/**
 * Reserves a session for an order. `orderId`, `key`, `content`, `attempt` and `reopening` are as in `claimRequest`:
 * copies of an order share the reservation, and of different orders one gets it.
 */
export const checkoutRequest = z
  .object({
    sessionId: recordId,
    orderId: externalId,
    key: claimRequest.shape.key.unwrap(),
    content: claimRequest.shape.content.unwrap(),
    attempt: claimRequest.shape.attempt.unwrap(),
    /** Which reopening of the order it is for: the first is 1. Absent: the order is new. */
    reopening: z.int().min(1).optional(),
    /** The version of the session that the order is for. Absent: whichever it has. */
    cartVersion: z.int().min(1).optional(),
    /** For a reopening: the table at which the order had seats, and how many. The session takes them again. */
    tableCommitmentId: externalId.optional(),
    seats: z.int().min(1).optional(),
    /** For a reopening: when the order's session was created. A later one with the same id is not found. */
    sessionCreatedAt: timestamp.optional(),
  })
  .meta({ id: 'CheckoutRequest' });
export type CheckoutRequest = z.output<typeof checkoutRequest>;

/** What a session has in it when it is ordered. Nothing is priced. */
export const checkoutReply = z
  .object({
    orderId: z.string().describe('The order that the session is reserved for: the copy that came first.'),
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
  })
  .meta({ id: 'CheckoutReply' });
export type CheckoutReply = z.output<typeof checkoutReply>;

export const releaseCheckoutRequest = z
  .object({
    sessionId: recordId,
    orderId: externalId,
    /**
     * Ends only what this attempt relies on: a reservation on which another copy relies stays. Absent: it ends for all.
     */
    attempt: z.string().max(64).optional(),
  })
  .meta({ id: 'ReleaseCheckoutRequest' });
export type ReleaseCheckoutRequest = z.output<typeof releaseCheckoutRequest>;
/** Whether the session is not reserved for the order any more. */
export const releaseCheckoutReply = z.object({ released: z.boolean() }).meta({ id: 'ReleaseCheckoutReply' });
export type ReleaseCheckoutReply = z.output<typeof releaseCheckoutReply>;

/** The order is over as far as this reopening of it, 0 for none. */
export const endCheckoutRequest = z
  .object({ sessionId: recordId, orderId: externalId, reopening: z.int().min(0) })
  .meta({ id: 'EndCheckoutRequest' });
export const endCheckoutReply = z.object({}).meta({ id: 'EndCheckoutReply' });
