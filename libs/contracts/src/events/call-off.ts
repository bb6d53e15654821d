import { z } from 'zod';
import { refusal } from '../errors/refusal.ts';
import { tenantKey } from '../identity/tenant.ts';
import { memberNotes } from '../schema/member-notes.ts';
import { externalId, listQuery, money, text, timestamp } from '../schema/primitives.ts';

/** The most offerings of an event whose orders can be found: each is a condition of the query. */
export const OFFERINGS_OF_EVENT_MAX = 5_000;

const reason = text
  .trim()
  .min(1)
  .describe('Why, for the buyers: the cancelled orders and their webhooks have it as `callOff.reason`.');

/** The body of `POST /events/{id}/call-off`. */
export const callOffInput = z
  .object({
    reason,
    cancelOrders: z
      .boolean({
        error: ({ input }) =>
          `${input === undefined ? 'is required: ' : 'must be '}true to cancel the orders of the event, or false to only list them`,
      })
      .describe('Whether the orders of the event are cancelled, or only listed.'),
  })
  .register(memberNotes, { answer: () => callOff.shape })
  .meta({ id: 'CallOffInput' });
export type CallOffInput = z.output<typeof callOffInput>;

/** The body of `POST /events/{id}/call-off/undo`. */
export const undoCallOffInput = z.strictObject({}).prefault({}).meta({ id: 'UndoCallOff' });

/** What a called-off event and its orders say about that. */
export const calledOffBy = z.object({
  id: z.string().describe('The call-off: `cof_...`.'),
  reason: z.string(),
});

const count = z.int().min(0);

/** What became of the orders of an event. */
export const callOffCounts = z.object({
  orders: count.describe('The orders with tickets of the event. The sum of the next four.'),
  cancelled: count.describe('Cancelled as a whole.'),
  changed: count.describe('Those that also have something else: only the tickets of the event were returned.'),
  byHand: count.describe('Those whose tickets could not be returned, for the reason that the list gives.'),
  listed: count.describe('Without `cancelOrders`: those that stay as they are.'),
  tickets: count.describe('How many tickets of the event these orders have, or had.'),
  toPayBack: z
    .array(money)
    .describe(
      'By currency, what the placed orders among them paid for what they no longer have; if they are only listed, what that would be. The platform moves no money.',
    ),
});
export type CallOffCounts = z.output<typeof callOffCounts>;

/** The call-off of an event as the API returns it. */
export const callOff = z
  .object({
    id: z.string(),
    eventId: z.string(),
    status: z
      .enum(['running', 'done', 'undone'])
      .describe('`running`: its orders are being dealt with. `undone`: the event has the status from before.'),
    reason: z.string(),
    cancelOrders: z.boolean(),
    report: callOffCounts
      .extend({
        emails: count
          .exactOptional()
          .describe('How many e-mail addresses the orders have, each counted once. Absent while it is running.'),
      })
      .describe('So far, while it is running.'),
    created: timestamp,
  })
  .meta({ id: 'CallOff' });
export type CallOff = z.output<typeof callOff>;

export const CALLED_OFF_STATES = ['cancelled', 'changed', 'by-hand', 'listed'] as const;
export type CalledOffState = (typeof CALLED_OFF_STATES)[number];

/** An order in the report of a call-off. */
export const calledOffOrder = z
  .object({
    orderId: z.string(),
    orderNumber: z.string(),
    email: z.string(),
    firstName: z.string().exactOptional(),
    lastName: z.string().exactOptional(),
    tickets: count.describe('How many tickets of the event it had.'),
    currency: z.string(),
    toPayBack: count
      .exactOptional()
      .describe('Minor units. 0 if it was not paid yet. Absent if that is to be found out by hand.'),
    state: z
      .enum(CALLED_OFF_STATES)
      .describe(
        '`cancelled` as a whole; `changed`: only the tickets of the event were returned; `by-hand`: see `why`; `listed`: it stays as it is.',
      ),
    why: z.string().exactOptional().describe('Why its tickets could not be returned.'),
    orderStatus: z.string().describe('The status of the order now.'),
  })
  .meta({ id: 'CalledOffOrder' });
export type CalledOffOrder = z.output<typeof calledOffOrder>;

/** The query of `GET /events/{id}/call-off/orders`. */
export const calledOffOrdersQuery = listQuery(
  {
    state: z.enum(CALLED_OFF_STATES).optional(),
    format: z
      .enum(['ndjson', 'csv'])
      .optional()
      .describe('Streams everything that matches, whatever `limit` and `cursor` say: one order a line.'),
  },
  () => calledOffOrder,
);
export type CalledOffOrdersQuery = z.output<typeof calledOffOrdersQuery>;

/**
 * One page of the orders of an event. `list`: leaves them as they are. `stop`: deals with no further order, and counts
 * those of an interrupted page that were dealt with. `place`: the `next` of the previous reply; empty at first.
 */
export const callOffOrdersRequest = z
  .object({
    tenant: tenantKey,
    callOff: calledOffBy,
    eventId: externalId,
    offeringIds: z.array(externalId).max(OFFERINGS_OF_EVENT_MAX),
    mode: z.enum(['cancel', 'list', 'stop']),
    place: z.string(),
    /** The request that called the event off, for the events about what it changes. */
    cause: z.object({
      keyId: z.string().optional(),
      keyName: z.string().optional(),
      requestId: z.string().optional(),
    }),
  })
  .meta({ id: 'CallOffOrdersRequest' });
export type CallOffOrdersRequest = z.output<typeof callOffOrdersRequest>;
/**
 * `counts`: the orders of this page, also if an earlier request for it dealt with them. Without `next` it was the last
 * one; then `emails` counts the addresses of all.
 */
export const callOffOrdersReply = z
  .object({ counts: callOffCounts, next: z.string().exactOptional(), emails: count.exactOptional() })
  .meta({ id: 'CallOffOrdersReply' });
export type CallOffOrdersReply = z.output<typeof callOffOrdersReply>;

export const callOffOfEventRequest = z.object({ eventId: z.string() }).meta({ id: 'CallOffOfEventRequest' });
/** The last call-off of the event. */
export const callOffOfEventReply = z.object({ id: z.string() }).meta({ id: 'CallOffOfEventReply' });

export const callOffNotFound = refusal(
  'CALL_OFF_NOT_FOUND',
  'The event was never called off, or more than a year ago.',
  (eventId: string) => ({
    message: `Event ${eventId} was not called off. To do that: POST /v1/events/${eventId}/call-off.`,
  }),
  'evt_summer_festival',
);

export const callOffRunning = refusal(
  'CALL_OFF_RUNNING',
  'The event was called off, and its orders are being dealt with.',
  (eventId: string) => ({
    message: `Event ${eventId} was called off, and its orders are being dealt with. Wait until that is done (GET /v1/events/${eventId}/call-off), or undo it: POST /v1/events/${eventId}/call-off/undo.`,
    details: [{ path: 'id', message: 'is being called off; wait until that is done, or undo it', eventId }],
    retryAfterSeconds: 5,
  }),
  'evt_summer_festival',
);
