import { z } from 'zod';
import { ARRAY_LENGTH_MAX, externalId, money, name } from './primitives.ts';

export const OFFERING_STATUSES = ['active', 'inactive'] as const;

/** An offering as a caller creates it, below its event. */
export const offeringInput = z.object({
  /** The caller's own id; one is made when it is absent. */
  id: externalId.optional(),
  name,
  price: money,
  tags: z.array(externalId).max(ARRAY_LENGTH_MAX).default([]),
  status: z.enum(OFFERING_STATUSES).default('active'),
});
export type OfferingInput = z.output<typeof offeringInput>;

/** Something that can be bought for an event, as the API answers it. */
export interface Offering extends Omit<OfferingInput, 'id'> {
  id: string;
  eventId: string;
  companyId: string;
  created: string;
  changed: string;
}

/** The reply to `rpc.events.offerings`; `version` counts the changes of an offering. */
export interface OfferingsReply {
  offerings: (Offering & { version: number })[];
}
