import { z } from 'zod';
import { calledOffBy } from '../events/call-off.ts';
import { CAPACITY_MAX, EVENT_STATUSES, LOCAL_TIME, PER_CUSTOMER } from '../events/event.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { mergePatch, readOnly } from '../schema/merge-patch.ts';
import {
  ARRAY_LENGTH_MAX,
  externalId,
  fitsInto,
  listQuery,
  localTime,
  money,
  name,
  positive,
  recordId,
  recordVersion,
  timestamp,
} from '../schema/primitives.ts';

const OFFERING_STATUSES = ['active', 'inactive'] as const;

const tags = z.array(externalId).max(ARRAY_LENGTH_MAX);
/** Every price of a cart is calculated with the tags of all its offerings. */
const TAGS_BYTES_MAX = 8 * 1024;

/** The fields of the response, and other platforms' names for them. */
const notes = {
  answer: () => offering.shape,
  related: () => ({
    stock: 'capacity',
    quantity: 'capacity',
    seats: 'capacity',
    tickets: 'capacity',
    maxQuantity: 'maxPerOrder',
    startsAt: 'onSaleFrom',
    endsAt: 'onSaleUntil',
    saleStartsAt: 'onSaleFrom',
    saleEndsAt: 'onSaleUntil',
    onSaleTo: 'onSaleUntil',
  }),
};

/** An offering as a caller creates it, under its event. */
export const offeringInput = z
  .object({
    /** The caller's own id; one is made when it is absent. */
    id: recordId.optional(),
    name,
    price: money,
    tags: tags
      .refine(
        (given) => fitsInto(TAGS_BYTES_MAX, given),
        `must have at most ${TAGS_BYTES_MAX} bytes as JSON together; use fewer or shorter tags`,
      )
      .describe(`At most ${TAGS_BYTES_MAX} bytes as JSON together.`)
      .default([]),
    status: z.enum(OFFERING_STATUSES).default('active'),
    capacity: z
      .int()
      .min(0)
      .max(CAPACITY_MAX)
      .exactOptional()
      .describe('How many tickets there are. May be lowered below what is sold: then none is left.'),
    maxPerOrder: positive.exactOptional().describe('How many tickets one order may have.'),
    maxPerCustomer: positive
      .exactOptional()
      .describe(`How many tickets one customer may have, in pending and placed orders together. ${PER_CUSTOMER}`),
    onSaleFrom: localTime.exactOptional().describe(`When the sale begins. ${LOCAL_TIME}`),
    onSaleUntil: localTime
      .exactOptional()
      .describe(
        `When the sale is over. Without it: when the event is over, which is its \`endsAt\`, or else 24 hours after its \`startsAt\`. An offering of a series without it is sold without end. ${LOCAL_TIME}`,
      ),
  })
  .register(memberNotes, notes)
  .meta({ id: 'OfferingInput' });
export type OfferingInput = z.output<typeof offeringInput>;

/**
 * What an offering must be after a change. An offering with more tags than today's limit can be changed in all other
 * fields.
 */
export const changedOffering = offeringInput.omit({ id: true }).extend({ tags: tags.default([]) });

/** The body of `PATCH /v1/offerings/{id}`. */
export const offeringPatch = mergePatch(
  { ...offeringInput.omit({ id: true }).shape, ...readOnly('eventId', 'seriesId') },
  notes,
).meta({ id: 'OfferingPatch' });
export type OfferingPatch = z.output<typeof offeringPatch>;

export const offeringListQuery = listQuery({ status: z.enum(OFFERING_STATUSES).optional() }, () => offering);

/** How many tickets of an offering are taken. */
export const availability = z
  .object({
    sold: z.int().describe('In placed orders.'),
    held: z.int().describe('In orders that are pending or being placed.'),
    left: z
      .int()
      .nullable()
      .describe("Of the offering's capacity or the event's, whichever is less; null without either."),
  })
  .meta({ id: 'Availability' });
export type Availability = z.output<typeof availability>;

/** Something that can be bought for an event, as the API returns it. */
export const offering = z
  .object({
    id: z.string(),
    eventId: z.string(),
    seriesId: z.string().exactOptional().describe('The series that its event is, or is an instance of.'),
    companyId: z.string(),
    name: z.string(),
    price: money,
    tags: z.array(z.string()),
    status: z.enum(OFFERING_STATUSES),
    capacity: z.int().exactOptional(),
    maxPerOrder: z.int().exactOptional(),
    maxPerCustomer: z.int().exactOptional(),
    onSaleFrom: timestamp.exactOptional(),
    onSaleUntil: timestamp.exactOptional(),
    availability,
    version: recordVersion,
    created: timestamp,
    changed: timestamp,
  })
  .meta({ id: 'Offering' });
export type Offering = z.output<typeof offering>;

/** An offering as services know it. */
export const offeringRecord = offering.omit({ availability: true });
export type OfferingRecord = z.output<typeof offeringRecord>;

/** An offering with what is left of it now, and what its event says about its sale. */
const listedOffering = offeringRecord.extend({
  availability: offering.shape.availability,
  event: z.object({
    status: z.enum(EVENT_STATUSES),
    /** When the event is over: an offering without `onSaleUntil` is sold until then. Absent if unknown. */
    over: timestamp.exactOptional(),
    /** What is left of the event's capacity, for all of its offerings together; absent if it has none. */
    left: z.int().exactOptional(),
    /** The call-off of the event, if it was called off. */
    callOff: calledOffBy.exactOptional(),
  }),
});
export type ListedOffering = z.output<typeof listedOffering>;

/** The reply to `rpc.events.offerings`. */
export const offeringsReply = z.object({ offerings: z.array(listedOffering) }).meta({ id: 'OfferingsReply' });
export type OfferingsReply = z.output<typeof offeringsReply>;
