import { z } from 'zod';
import { calledOffBy } from './call-off.ts';
import { memberNotes, placed } from '../schema/member-notes.ts';
import { mergePatch, readOnly } from '../schema/merge-patch.ts';
import {
  ARRAY_LENGTH_MAX,
  externalId,
  instant,
  listQuery,
  localTime,
  money,
  name,
  pageOfList,
  positive,
  recordId,
  recordVersion,
  text,
  timestamp,
  timezone,
} from '../schema/primitives.ts';
import { searchText } from '../schema/words.ts';

/** A `series` is the parent of its `instance`s; a `single` event stands alone. */
const EVENT_KINDS = ['single', 'series', 'instance'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/**
 * The status of an event. Any status may follow any other: the platform stores what the organizer says. `archived`
 * hides an event, as none is ever deleted.
 */
export const EVENT_STATUSES = ['draft', 'published', 'postponed', 'cancelled', 'completed', 'archived'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The statuses of an event that sells no tickets. */
export const OFF_SALE_STATUSES = [
  'draft',
  'cancelled',
  'completed',
  'archived',
] as const satisfies readonly EventStatus[];

/** The status of an event that is created without one. */
export const DEFAULT_STATUS = 'published' satisfies EventStatus;

export const CAPACITY_MAX = 10_000_000;

export const LOCAL_TIME = "Without a zone: local time in the event's `timezone`, or UTC if it has none.";

/** How `maxPerCustomer` counts. */
export const PER_CUSTOMER =
  'An order counts under the `id` and the `email` of its customer, and is refused if either has no room. Orders count if they are placed, amended or reopened while there is a limit.';

const field = {
  name,
  description: text,
  startsAt: localTime.describe(LOCAL_TIME),
  endsAt: localTime.describe(LOCAL_TIME),
  timezone,
  venueId: externalId,
  /** Who holds the event: an organization, as an order's `organizerId` is. */
  organizerId: externalId,
  capacity: z
    .int()
    .min(0)
    .max(CAPACITY_MAX)
    .describe(
      'How many tickets the event sells, of all its offerings together; each instance of a series has a count of its own. Tickets count from the first order on, whether or not there is a capacity.',
    ),
  maxPerCustomer: positive.describe(
    `How many tickets of the event one customer may have, in pending and placed orders together; each instance of a series has a count of its own. ${PER_CUSTOMER}`,
  ),
  status: z
    .enum(EVENT_STATUSES)
    .describe(
      'A `published` or `postponed` event sells tickets; a `draft`, `cancelled`, `completed` or `archived` one does not. An event is `published` unless it says otherwise.',
    ),
  tags: z
    .array(externalId)
    .max(ARRAY_LENGTH_MAX)
    .transform((tags) => [...new Set(tags)]),
};

/** The own fields of a single event or a series. */
export const eventFields = z.object({
  name: field.name,
  description: field.description.optional(),
  startsAt: field.startsAt.optional(),
  endsAt: field.endsAt.optional(),
  timezone: field.timezone.optional(),
  venueId: field.venueId.optional(),
  organizerId: field.organizerId.optional(),
  capacity: field.capacity.optional(),
  maxPerCustomer: field.maxPerCustomer.optional(),
  status: field.status.default(DEFAULT_STATUS),
  tags: field.tags.default([]),
});
export type EventFields = z.output<typeof eventFields>;

/** The own fields of an instance: only those that differ from its series. */
export const eventOverrides = z
  .object(field)
  .partial()
  .register(memberNotes, { answer: () => ticketedEvent.shape });
export type EventOverrides = z.output<typeof eventOverrides>;

/** The names that offerings and other platforms use for ours. */
export const otherNames = (): Record<string, string> => ({
  ...placed(['seats', 'stock', 'tickets', 'maxCapacity'], () => 'capacity'),
  ...placed(['price', 'maxPerOrder', 'onSaleFrom', 'onSaleUntil'], (member) => `${member} of an offering`),
});

const notes = { answer: () => ticketedEvent.shape, related: otherNames };

/**
 * The body of `PATCH /v1/events/{id}` and of an instance: null removes a field, and in an instance ends the override.
 */
export const eventPatch = mergePatch({ ...eventOverrides.shape, ...readOnly('kind', 'seriesId') }, notes).meta({
  id: 'EventPatch',
});
export type EventPatch = z.output<typeof eventPatch>;

/**
 * The fields that an instance may override, and that can be reverted: all except identity, kind and the two timestamps.
 */
export const OVERRIDABLE_FIELDS = Object.keys(field) as readonly (keyof EventFields)[];
export type OverridableField = (typeof OVERRIDABLE_FIELDS)[number];

/**
 * The caller's own id; one is made when it is absent. Orders and coupons recognize an event by the beginning of its id.
 */
const ownId = recordId.regex(/^evt_./, 'must begin with evt_').optional();

/** The body of `POST /events/{seriesId}/instances`. */
export const instanceInput = eventOverrides
  .extend({ id: ownId })
  .register(memberNotes, notes)
  .prefault({})
  .meta({ id: 'InstanceInput' });
export type InstanceInput = z.output<typeof instanceInput>;

/** The body of `POST /events`. An instance needs a `seriesId`, any other event a `name`. */
export const eventInput = eventOverrides
  .extend({
    kind: z.enum(EVENT_KINDS).optional().describe('Without it: `instance` if there is a `seriesId`, `single` if not.'),
    seriesId: externalId.optional().describe('The series of an instance.'),
    id: ownId,
  })
  .register(memberNotes, notes)
  .meta({ id: 'EventInput' });
export type EventInput = z.output<typeof eventInput>;

/** The body of `POST /events/{seriesId}/instances/{instanceId}/revert`. */
export const revertInput = z
  .object({
    fields: z
      .array(
        z.enum(OVERRIDABLE_FIELDS, {
          error: `must be one of ${OVERRIDABLE_FIELDS.join(', ')}`,
        }),
      )
      .min(1, 'must name at least one field')
      .max(ARRAY_LENGTH_MAX),
  })
  .meta({ id: 'RevertInstance' });

export const reverted = z.object({ success: z.boolean() }).meta({ id: 'Reverted' });

/** How a list of events can be sorted. */
const EVENT_SORTS = ['created', 'startsAt'] as const;

/** Whether events are shown with what is left of them. */
const withAvailability = z
  .stringbool()
  .default(false)
  .describe('`true`: with `availability`, what is sold and left of each event, and from which price.');

/** The query of `GET /events/{id}`. */
export const oneEventQuery = z.object({ availability: withAvailability });

/**
 * The query of `GET /events`. An instance is found and sorted by what it returns, inherited or not. `from` and `to`,
 * both inclusive, bound `startsAt`.
 */
export const eventQuery = listQuery(
  {
    kind: z.enum(EVENT_KINDS).optional(),
    seriesId: externalId.optional(),
    venueId: externalId.optional(),
    status: z.enum(EVENT_STATUSES).optional(),
    from: instant.optional(),
    to: instant.optional(),
    endsAfter: instant
      .optional()
      .describe(
        'Events that are not over then: their `endsAt` is later; without one, their `startsAt` is less than 24 hours before, or they have none.',
      ),
    near: instant
      .optional()
      .describe(
        'What is on at that time and what comes next, soonest first: the same as `endsAfter` with `sort=startsAt`.',
      ),
    q: searchText('the name or description'),
    sort: z
      .enum(EVENT_SORTS)
      .default('created')
      .describe(
        '`created`: newest first. `startsAt`: soonest first, those that start at the same time newest first, and those without a start last.',
      ),
    availability: withAvailability,
    facets: z
      .stringbool()
      .default(false)
      .describe(
        '`true`: with `page.facets`, how many of all events that match are at each venue and have each status. One page is enough: the counts are the same for all pages.',
      ),
  },
  () => ticketedEvent,
)
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    message: 'must not be before from',
  })
  .refine(({ near, endsAfter }) => near === undefined || endsAfter === undefined, {
    path: ['near'],
    message: 'cannot be sent with endsAfter: near includes it',
  });
export type EventQuery = z.output<typeof eventQuery>;

/** How many of the matching events the facets of a list count. */
export const FACETED_MAX = 10_000;

const count = z.int().min(0);

/** What a list of events says about its page. */
export const eventListPage = pageOfList.extend({
  facets: z
    .object({
      venues: z
        .array(z.object({ venueId: z.string(), count }))
        .describe('The most events first. Events without a venue are not among them.'),
      statuses: z.array(z.object({ status: z.enum(EVENT_STATUSES), count })).describe('The most events first.'),
      complete: z
        .boolean()
        .describe(`False if more than ${FACETED_MAX} events match: then only ${FACETED_MAX} of them are counted.`),
    })
    .meta({ id: 'EventFacets' })
    .exactOptional()
    .describe('With `facets=true`: how many events match the filters, on all pages.'),
});
export type EventFacets = NonNullable<z.output<typeof eventListPage>['facets']>;

/** What can be bought of an event. */
const eventAvailability = z
  .object({
    sold: z.int().describe('Tickets in placed orders, of all its offerings.'),
    held: z.int().describe('Tickets in orders that are pending or being placed.'),
    left: z
      .int()
      .nullable()
      .describe(
        "Of the event's capacity, or of the offerings that are active and not off sale yet together, whichever is less; null without a limit. An event with offerings, all of which are inactive or off sale, has nothing left.",
      ),
    lowestPrices: z
      .array(money)
      .describe(
        'The lowest listed price of the offerings that are on sale now and not sold out, one for each currency: with price adjustments at listing, without those at checkout. Empty if nothing is on sale.',
      ),
  })
  .meta({ id: 'EventAvailability' });
export type EventAvailability = z.output<typeof eventAvailability>;

/** An event as the API returns it. */
export const ticketedEvent = z
  .object({ ...field, startsAt: timestamp, endsAt: timestamp, tags: z.array(z.string()) })
  .partial()
  .extend({
    id: z.string(),
    companyId: z.string(),
    kind: z.enum(EVENT_KINDS),
    seriesId: z.string().exactOptional().describe('For an instance: its series.'),
    overrides: z
      .array(z.enum(OVERRIDABLE_FIELDS))
      .exactOptional()
      .describe(
        'For an instance: the fields that it overrides. All other fields come from the series. An instance that overrides only startsAt keeps the duration of the series.',
      ),
    callOff: calledOffBy
      .extend({ created: timestamp })
      .exactOptional()
      .describe('Of an event that was called off, while it is `cancelled`.'),
    version: recordVersion.describe('Counts changes, for an instance its own; the ETag begins with it.'),
    created: timestamp,
    changed: timestamp.describe(
      "When this record last changed: for an instance, its own change or its series', whichever is later.",
    ),
    availability: eventAvailability.exactOptional().describe('With `availability=true` in the query.'),
  })
  .meta({ id: 'Event' });
export type TicketedEvent = z.output<typeof ticketedEvent>;
