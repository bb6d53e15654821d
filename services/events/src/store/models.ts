import type { EventKind, EventOverrides, Offering, PurchaseGroup, Tenant } from '@event-commerce/contracts';
import { outboxIndex, outboxPath, type WithOutbox } from '@event-commerce/outbox';
import { type Connection, type Model, Schema } from 'mongoose';

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

/** Stored under a generated id, which is ordered by time; `ownId` is the id in the API if the caller chose it. */
export interface EventDocument extends Versioned {
  ownId?: string;
  kind: EventKind;
  seriesId?: string;
  /** For an instance: only its overrides. */
  own: OwnFields;
}

export interface PurchaseGroupDocument
  extends Omit<PurchaseGroup, 'id' | 'created' | 'changed' | 'companyId'>, Versioned {}

/** Stored under a generated id, which is ordered by time; `offeringId` is the id in the API. */
export interface OfferingDocument extends Omit<Offering, 'id' | 'created' | 'changed' | 'companyId'>, Versioned {
  offeringId: string;
}

export interface EventsModels {
  events: Model<EventDocument>;
  purchaseGroups: Model<PurchaseGroupDocument>;
  offerings: Model<OfferingDocument>;
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

const eventSchema = new Schema<EventDocument>(
  {
    ...versioned,
    ownId: String,
    kind: { type: String, ...required },
    seriesId: String,
    own: free,
  },
  { collection: 'events', versionKey: false, minimize: false },
)
  .index({ companyId: 1, _id: -1 })
  .index({ companyId: 1, ownId: 1 }, { unique: true, partialFilterExpression: { ownId: { $exists: true } } })
  .index({ companyId: 1, kind: 1, _id: -1 })
  .index({ companyId: 1, seriesId: 1, _id: -1 })
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
  },
  { collection: 'purchase_groups', versionKey: false, minimize: false },
)
  .index({ companyId: 1, eventId: 1, _id: -1 })
  .index(...outboxIndex);

const offeringSchema = new Schema<OfferingDocument>(
  {
    ...versioned,
    offeringId: { type: String, ...required },
    eventId: { type: String, ...required },
    name: { type: String, ...required },
    price: free,
    tags: free,
    status: { type: String, ...required },
  },
  { collection: 'offerings', versionKey: false, minimize: false },
)
  .index({ companyId: 1, offeringId: 1 }, { unique: true })
  .index({ companyId: 1, eventId: 1, _id: -1 })
  .index(...outboxIndex);

/** The collections of the events database. */
export function eventsModels(connection: Connection): EventsModels {
  return {
    events: connection.model<EventDocument>('Event', eventSchema),
    purchaseGroups: connection.model<PurchaseGroupDocument>('PurchaseGroup', purchaseGroupSchema),
    offerings: connection.model<OfferingDocument>('Offering', offeringSchema),
  };
}
