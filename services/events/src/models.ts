import {
  keptIndex,
  type LedgerEntry,
  ledgerPaths,
  transitionsIndex,
  heldIndex,
  pendingIndex,
  type PoolDocument,
  poolPaths,
  shareIndexes,
  sharePaths,
} from '@event-commerce/claims';
import type {
  CallOffCounts,
  CallOffInput as AskedCallOff,
  Cause,
  ChangeDatesInput,
  DatesJob,
  EventKind,
  EventOverrides,
  Offering,
  PurchaseGroup,
  Tenant,
} from '@event-commerce/contracts';
import { outboxIndex, outboxPath, type WithOutbox } from '@event-commerce/outbox';
import { type JobDocument, jobIndexes, jobPaths } from '@event-commerce/service-kit';
import { type Connection, type Model, Schema } from 'mongoose';
import type { StoredCallOff } from './events/domain/event-record.ts';

interface Versioned extends WithOutbox {
  companyId: Tenant;
  version: number;
  created: Date;
  changed: Date;
}

/** An event's own fields, with times as dates, to compare and index them. */
export interface OwnFields extends Omit<EventOverrides, 'startsAt' | 'endsAt'> {
  startsAt?: Date;
  endsAt?: Date;
}

/** Stored under a generated id, which sorts by time; `ownId` is the id in the API if the caller chose one. */
export interface EventDocument extends Versioned {
  ownId?: string;
  kind: EventKind;
  seriesId?: string;
  /** For an instance: only its overrides. */
  own: OwnFields;
  /** For an instance with times of its own: the time zone in which they were set. */
  timesZone?: string;
  /** For a date of a series: see `asGiven`. */
  given?: EventOverrides;
  /** For an instance that a rule made: when that date begins, even if it was moved since. A series has it once. */
  ruleDate?: string;
  /** The version that changed its time zone, until its instances and offerings are updated. */
  zoneChange?: number;
  /** For an event that was called off, while it is cancelled. */
  callOff?: StoredCallOff;
  /** The search terms of `own`: see `searchTerms`. */
  terms: string[];
  /** The ids of the request attempts that changed it last: none of them changes it a second time. */
  attempts?: string[];
}

export interface PurchaseGroupDocument
  extends Omit<PurchaseGroup, 'id' | 'created' | 'changed' | 'companyId'>, Versioned {
  /** For a deleted group, when the database deletes it: not before its events are published. */
  purgeAt?: Date;
}

/** Stored under a generated id, which sorts by time; `offeringId` is the id in the API. */
export interface OfferingDocument
  extends Omit<Offering, 'id' | 'created' | 'changed' | 'companyId' | 'availability'>, Versioned {
  offeringId: string;
  /** The time zone of the event in which its sale window was set. */
  windowZone?: string;
  /** What its last event said: whether nothing is left, and how often that changed. */
  soldOut?: boolean;
  availabilityVersion?: number;
  /** Why nothing is left. */
  soldOutBy?: SoldOutBy;
}

/** What ran out: the offering's own tickets, or only those of its event. */
export type SoldOutBy = 'itself' | 'event';

interface WorkOnDates {
  seriesId: string;
  /** Who asked for it. */
  cause: Cause;
}

/** The dates that a series gets by a rule: when they start, soonest first. */
export interface DatesToMake extends WorkOnDates {
  kind: 'make';
  dates: string[];
  /** The time zone of the series when the rule was read. */
  zone?: string;
  capacity?: number;
  /** The offerings of the series that each date gets. */
  offeringIds: string[];
}

/** The dates of a series that are changed together, soonest first, with their starts when the filter was read. */
export interface DatesToChange extends WorkOnDates, Pick<ChangeDatesInput, 'change' | 'include'> {
  kind: 'change';
  dates: { eventId: string; startsAt: string }[];
}

/** What became of some dates. */
export type DatesOutcome = Pick<DatesJob, 'dates' | 'leftAlone'>;

export interface DatesProgress extends DatesOutcome {
  seriesId: string;
  total: number;
}

/** The orders of an event that was called off. */
export interface CallOffInput {
  eventId: string;
  /** Who called it off. */
  cause: Omit<Cause, 'traceparent'>;
  /** Who has undone it: no further order is dealt with. */
  undone?: Omit<Cause, 'traceparent'>;
}

export interface CallOffProgress extends AskedCallOff {
  eventId: string;
  report: CallOffCounts & { emails?: number };
}

export interface CallOffResult {
  undone?: boolean;
}

export type CallOffJob = JobDocument<CallOffInput, CallOffProgress, CallOffResult>;

export type DateJob = JobDocument<DatesToMake | DatesToChange, DatesProgress, { stopped?: string }>;

/** The ledger of tickets: the outcome of each claim on a pool. */
export interface TicketDocument extends LedgerEntry {
  poolId: string;
}

export interface EventsModels {
  events: Model<EventDocument>;
  purchaseGroups: Model<PurchaseGroupDocument>;
  offerings: Model<OfferingDocument>;
  /** Work on many dates of a series. */
  dateJobs: Model<DateJob>;
  callOffs: Model<CallOffJob>;
  /** The tickets of an offering, or of all offerings of an event together. */
  ticketPools: Model<PoolDocument>;
  /** What customers have of `ticketPools` that limit each customer. */
  customerTickets: Model<PoolDocument>;
  tickets: Model<TicketDocument>;
}

const required = { required: true } as const;
const free = { type: Schema.Types.Mixed, ...required };

const versioned = {
  _id: String,
  companyId: { type: String, ...required },
  version: { type: Number, ...required },
  created: { type: Date, ...required },
  changed: { type: Date, ...required },
  outbox: outboxPath,
};

/** The events whose instances and offerings are not yet updated after a change of the time zone. */
export const HAS_ZONE_CHANGE = { zoneChange: { $exists: true } } as const;

const eventSchema = new Schema<EventDocument>(
  {
    ...versioned,
    ownId: String,
    kind: { type: String, ...required },
    seriesId: String,
    own: free,
    timesZone: String,
    given: Schema.Types.Mixed,
    ruleDate: String,
    callOff: Schema.Types.Mixed,
    zoneChange: Number,
    terms: { type: [String], ...required },
    attempts: { type: [String], default: undefined },
  },
  { collection: 'events', versionKey: false, minimize: false },
)
  .index({ companyId: 1, _id: -1 })
  .index({ companyId: 1, ownId: 1 }, { unique: true, partialFilterExpression: { ownId: { $exists: true } } })
  .index({ companyId: 1, kind: 1, _id: -1 })
  .index({ companyId: 1, 'own.status': 1, _id: -1 })
  .index({ companyId: 1, seriesId: 1, _id: -1 })
  .index({ companyId: 1, terms: 1, _id: -1 })
  .index({ companyId: 1, 'own.venueId': 1, _id: -1 })
  .index({ companyId: 1, 'own.startsAt': 1, _id: -1 })
  .index({ companyId: 1, seriesId: 1, 'own.startsAt': 1, _id: -1 })
  .index(
    { companyId: 1, seriesId: 1, ruleDate: 1 },
    { unique: true, partialFilterExpression: { ruleDate: { $exists: true } } },
  )
  // Only for series, the few events that others inherit from.
  .index({ companyId: 1, terms: 1 }, { partialFilterExpression: { kind: 'series' } })
  .index({ companyId: 1, 'own.venueId': 1 }, { partialFilterExpression: { kind: 'series' } })
  .index({ companyId: 1, 'own.startsAt': 1 }, { partialFilterExpression: { kind: 'series' } })
  .index({ companyId: 1, _id: 1 }, { name: 'zone changes', partialFilterExpression: HAS_ZONE_CHANGE })
  .index(...outboxIndex);

const purchaseGroupSchema = new Schema<PurchaseGroupDocument>(
  {
    ...versioned,
    eventId: { type: String, ...required },
    name: { type: String, ...required },
    size: { type: Number, ...required },
    members: free,
    status: { type: String, ...required },
    mergedInto: String,
    notes: free,
    history: free,
    purgeAt: Date,
  },
  { collection: 'purchase_groups', versionKey: false, minimize: false },
)
  .index({ companyId: 1, eventId: 1, _id: -1 })
  .index({ companyId: 1, _id: 1 })
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 })
  .index(...outboxIndex);

const offeringSchema = new Schema<OfferingDocument>(
  {
    ...versioned,
    offeringId: { type: String, ...required },
    eventId: { type: String, ...required },
    seriesId: String,
    name: { type: String, ...required },
    price: free,
    tags: free,
    status: { type: String, ...required },
    capacity: Number,
    maxPerOrder: Number,
    maxPerCustomer: Number,
    onSaleFrom: String,
    onSaleUntil: String,
    windowZone: String,
    soldOut: Boolean,
    soldOutBy: String,
    availabilityVersion: Number,
  },
  { collection: 'offerings', versionKey: false, minimize: false },
)
  .index({ companyId: 1, offeringId: 1 }, { unique: true })
  .index({ companyId: 1, eventId: 1, _id: -1 })
  .index({ companyId: 1, eventId: 1, soldOut: 1, soldOutBy: 1 })
  .index(...outboxIndex);

const dateJobSchema = new Schema<DateJob>(jobPaths, { collection: 'series_jobs', versionKey: false, minimize: false });
for (const index of jobIndexes) dateJobSchema.index(...index);

const callOffSchema = new Schema<CallOffJob>(jobPaths, {
  collection: 'call_offs',
  versionKey: false,
  minimize: false,
}).index({ companyId: 1, 'progress.eventId': 1, _id: -1 });
for (const index of jobIndexes) callOffSchema.index(...index);

const ticketPoolSchema = new Schema<PoolDocument>(poolPaths, { collection: 'ticket_pools', versionKey: false })
  .index(...pendingIndex)
  .index(...transitionsIndex);

const customerTicketsSchema = new Schema<PoolDocument>(sharePaths, {
  collection: 'customer_tickets',
  versionKey: false,
}).index(...pendingIndex);

const ticketSchema = new Schema<TicketDocument>(
  { ...ledgerPaths, poolId: { type: String, ...required } },
  { collection: 'tickets', versionKey: false },
)
  .index(...keptIndex('poolId'))
  .index(...heldIndex);
for (const index of shareIndexes('poolId')) ticketSchema.index(...index);

/** The collections of the events database. */
export function eventsModels(connection: Connection): EventsModels {
  return {
    events: connection.model<EventDocument>('Event', eventSchema),
    purchaseGroups: connection.model<PurchaseGroupDocument>('PurchaseGroup', purchaseGroupSchema),
    offerings: connection.model<OfferingDocument>('Offering', offeringSchema),
    dateJobs: connection.model<DateJob>('DateJob', dateJobSchema),
    callOffs: connection.model<CallOffJob>('CallOff', callOffSchema),
    ticketPools: connection.model<PoolDocument>('TicketPool', ticketPoolSchema),
    customerTickets: connection.model<PoolDocument>('CustomerTickets', customerTicketsSchema),
    tickets: connection.model<TicketDocument>('Ticket', ticketSchema),
  };
}
