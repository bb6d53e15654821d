import {
  type Money,
  type TableCommitmentInput,
  type TableStatus,
  type Tenant,
  keyOfTenant,
} from '@event-commerce/contracts';
import { outboxIndex, outboxPath, type WithOutbox } from '@event-commerce/outbox';
import { type Connection, type Model, Schema } from 'mongoose';
import type { Cart } from './sessions/domain/cart.ts';

/**
 * An order that is being placed for a session: until it is written or refused, nothing else can change or order the
 * session.
 */
export interface Reservation {
  orderId: string;
  /** Which reopening of the order it is for; 0 for a new order. */
  reopening: number;
  /** Whether the session took its seat for this reopening, and gives it up if the order is not reopened. */
  tookSeat?: true;
}

/**
 * A cart session. Its `_id` is `<tenant>/<id>`, because callers choose ids and two companies may choose the same.
 * Successive sessions with one id differ in `createdAt`.
 */
export interface SessionDocument extends Cart, WithOutbox {
  companyId: Tenant;
  sessionId: string;
  /** The `PricedCart` as JSON text: the database never reads it, and a change does not need to parse it. */
  priced: string;
  pricedAt: Date;
  /**
   * For a session with an id chosen by the caller: the id it would have had otherwise. Identifies a repeated request.
   */
  madeAs?: string;
  version: number;
  createdAt: Date;
  changedAt: Date;
  expiresAt: Date;
  /** When the database deletes the document; absent while a seat must be released first. */
  purgeAt?: Date;
  checkout?: Reservation;
  /** How often the session gave up its seats. Seats that it took before the last time are no longer its own. */
  leaves?: number;
  /** The order that was placed for the session. */
  ordered?: Pick<Reservation, 'orderId' | 'reopening'>;
  /** What that order costs: an `OrderedPrice` as JSON text. Absent if it is too large. */
  orderedPrice?: string;
  /** Until when a session without an order keeps its seat, unless it changes before. */
  seatHeldUntil?: Date;
  /** The ids of the request attempts that changed it last: none of them changes it a second time. */
  attempts?: string[];
}

/** The holder of a seat: one session, identified by its id and `createdAt`. */
export interface Seat {
  sessionId: string;
  sessionCreatedAt: Date;
  /** How many seats at the table it takes. */
  seats: number;
  /** How often the session had given up its seats when it joined; absent if never. */
  leaves?: number;
  /** The id of the request attempt that took it. The session has it too, once it names the table. */
  attempt?: string;
  /**
   * The session version that the request named with If-Match: at any other version, the session does not get the seat.
   */
  version?: number;
}

/**
 * A seat that an order was placed for. From then on it belongs to the order until the order is over: nothing that
 * happens to the session releases it, and a later session with the same id can join another table.
 */
export interface SoldSeat extends Seat {
  /** `order/<id>`: no session has such an id. */
  sessionId: string;
  /** The id of the session that the order was placed for. */
  boughtBy: string;
  /** Which reopening of the order has it; 0 for none. */
  reopening: number;
  /** What the order costs. */
  spent: Money;
}

/** A table. Its seats are the truth about who joined; the sessions follow. */
export interface TableDocument extends Omit<TableCommitmentInput, 'id'>, WithOutbox {
  companyId: Tenant;
  tableId: string;
  seatsTaken: number;
  status: TableStatus;
  joined: (Seat | SoldSeat)[];
  /** For a table with an id chosen by the caller: the id it would have had otherwise. Identifies a repeated request. */
  madeAs?: string;
  version: number;
  createdAt: Date;
}

export interface CartModels {
  sessions: Model<SessionDocument>;
  tables: Model<TableDocument>;
}

/** What the index of reserved sessions holds. */
export const IS_RESERVED = { 'checkout.orderId': { $exists: true } } as const;

const required = { required: true } as const;
const free = { type: Schema.Types.Mixed, ...required };

const sessionSchema = new Schema<SessionDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    sessionId: { type: String, ...required },
    madeAs: String,
    contextId: String,
    currency: String,
    customerId: String,
    customerEmail: String,
    customerSegment: String,
    channelId: String,
    lines: free,
    coupons: { type: [String], ...required },
    tableCommitmentId: String,
    priced: { type: String, ...required },
    pricedAt: { type: Date, ...required },
    version: { type: Number, ...required },
    createdAt: { type: Date, ...required },
    changedAt: { type: Date, ...required },
    expiresAt: { type: Date, ...required },
    purgeAt: Date,
    checkout: Schema.Types.Mixed,
    ordered: Schema.Types.Mixed,
    orderedPrice: String,
    seatHeldUntil: Date,
    leaves: Number,
    attempts: { type: [String], default: undefined },
    outbox: outboxPath,
  },
  { collection: 'sessions', versionKey: false, minimize: false },
)
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 })
  .index({ companyId: 1 }, { name: 'reserved', partialFilterExpression: IS_RESERVED })
  .index({ companyId: 1, customerId: 1, _id: 1 }, { partialFilterExpression: { customerId: { $exists: true } } })
  .index({ companyId: 1, customerEmail: 1, _id: 1 }, { partialFilterExpression: { customerEmail: { $exists: true } } })
  .index({ seatHeldUntil: 1 }, { partialFilterExpression: { seatHeldUntil: { $exists: true } } })
  .index(...outboxIndex);

const tableSchema = new Schema<TableDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    tableId: { type: String, ...required },
    madeAs: String,
    contextId: { type: String, ...required },
    offeringId: String,
    seats: { type: Number, ...required },
    minimumSpend: Schema.Types.Mixed,
    seatsTaken: { type: Number, ...required },
    status: { type: String, ...required },
    joined: free,
    version: { type: Number, ...required },
    createdAt: { type: Date, ...required },
    outbox: outboxPath,
  },
  { collection: 'table_commitments', versionKey: false, minimize: false },
)
  // A session sits at one table at most: the index lets only one of two concurrent joins through.
  .index({ companyId: 1, 'joined.sessionId': 1 }, { unique: true, partialFilterExpression: { seatsTaken: { $gt: 0 } } })
  .index({ companyId: 1, contextId: 1, _id: -1 })
  .index(...outboxIndex);

/** The collections of the cart database. */
export function cartModels(connection: Connection): CartModels {
  return {
    sessions: connection.model<SessionDocument>('CartSession', sessionSchema),
    tables: connection.model<TableDocument>('TableCommitment', tableSchema),
  };
}

/**
 * The `_id` of the company's record `id`. The id of a company may contain a slash, so `id` must not (`recordId`):
 * otherwise it could name a record of another company.
 */
export function keyOf(tenant: Tenant, id: string): string {
  return `${keyOfTenant(tenant)}/${id}`;
}

/**
 * Bounds of the `_id`s of all of the company's records, or of those before its `id`. Companies whose ids begin with
 * this one's and a slash are within them too, so a filter needs `companyId` as well.
 */
export function keysBefore(tenant: Tenant, id?: string) {
  // The character after the slash of all keys.
  const end = `${keyOfTenant(tenant)}0`;
  return { $gt: keyOf(tenant, ''), $lt: id === undefined ? end : keyOf(tenant, id) };
}
