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

/** An order that is being placed of a session: until it is written or refused, nothing else changes or orders it. */
export interface Reservation {
  orderId: string;
  /** Which reopening of the order it is for; 0 for a new order. */
  reopening: number;
  /** Whether the session took its seat for this reopening, and gives it back if the order is not reopened. */
  tookSeat?: true;
}

/**
 * A cart session. Its `_id` is `<tenant>/<id>`, because callers choose ids and two companies may choose the same.
 * Successive lives of one id differ in `createdAt`.
 */
export interface SessionDocument extends Cart, WithOutbox {
  companyId: Tenant;
  sessionId: string;
  /** The `PricedCart` as JSON text: the database never reads it, and a change need not parse it. */
  priced: string;
  pricedAt: Date;
  /** For a session with an id of the caller's own: the id it would have had. It identifies a repeated request. */
  madeAs?: string;
  version: number;
  createdAt: Date;
  changedAt: Date;
  expiresAt: Date;
  /** When the database deletes the document; absent while a seat must be released first. */
  purgeAt?: Date;
  checkout?: Reservation;
  /** How many seats the session gave up. One that it took before the last of them is not its own any more. */
  leaves?: number;
  /** The order that was placed of the session. */
  ordered?: Pick<Reservation, 'orderId' | 'reopening'>;
  /** What that order costs: an `OrderedPrice` as JSON text. Missing if it is too large. */
  orderedPrice?: string;
  /** Until when a session that is not ordered has its seat, unless it changes before. */
  seatHeldUntil?: Date;
  /** The attempts at requests that changed it last, by their ids: none of them changes it a second time. */
  attempts?: string[];
}

/** The holder of a seat: one life of one session. */
export interface Seat {
  sessionId: string;
  sessionCreatedAt: Date;
  /** How many seats at the table it takes. */
  seats: number;
  /** How many times the session had given up its seats when it joined; missing for none. */
  leaves?: number;
  /** The id of the attempt at the request that took it. The session has it too, once it names the table. */
  attempt?: string;
  /** The version of the session that the request named with If-Match: at any other, the session does not get it. */
  version?: number;
}

/**
 * A seat that an order was placed for. From then on it belongs to the order, until that is over: whatever happens to the
 * session does not release it, and a later session with the same id can join another table.
 */
export interface SoldSeat extends Seat {
  /** `order/<id>`: no session has such an id. */
  sessionId: string;
  /** The id of the session that the order was placed of. */
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
  /** For a table with an id of the caller's own: the id it would have had. It identifies a repeated request. */
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
  // A session sits at one table at most: of two concurrent joins the index lets one through.
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
 * The `_id` of what the company calls `id`. The id of a company may contain a slash, so `id` must not (`recordId`): else
 * it could name a record of another company.
 */
export function keyOf(tenant: Tenant, id: string): string {
  return `${keyOfTenant(tenant)}/${id}`;
}

/**
 * Bounds of the `_id`s of everything that the company has, or of what comes before its `id`. Companies whose ids begin
 * with this one's and a slash are within them too, so a filter needs `companyId` as well.
 */
export function keysBefore(tenant: Tenant, id?: string) {
  // The character after the slash of all keys.
  const end = `${keyOfTenant(tenant)}0`;
  return { $gt: keyOf(tenant, ''), $lt: id === undefined ? end : keyOf(tenant, id) };
}
