import type {
  AmendedLine,
  AmendmentWithBefore,
  AmendRequest,
  CalledOffState,
  CouponDefinition,
  DomainEventType,
  Order,
  PriceBasis,
  RedemptionClaim,
  Tenant,
  TicketClaim,
} from '@event-commerce/contracts';
import { outboxIndex, outboxPath, type WithOutbox } from '@event-commerce/outbox';
import { type Connection, type Model, Schema } from 'mongoose';

export type OrderEventType = Extract<DomainEventType, `order.${string}`>;

type Times = 'createdAt' | 'changedAt' | 'expiresAt' | 'cancelledAt';

/** What an order remembers of its amendments. */
export interface Amended {
  /** Each line, by its id, as it was last priced: what its tickets cost together. */
  bought: Record<string, AmendedLine['bought']>;
  /** The tax that was last stated, and what the goods cost then. */
  taxed: AmendRequest['order']['taxed'];
  /** How many lines it has had so far. */
  linesMade: number;
  last: AmendmentWithBefore;
}

/** What an amendment writes into its order. */
export interface AmendedFields extends Pick<
  OrderDocument,
  'items' | 'costs' | 'pricing' | 'coupons' | 'claims' | 'tickets' | 'basis' | 'seats'
> {
  amended: Omit<Amended, 'last'>;
}

/** The amendment of an order that waits to be confirmed, which is its last one. */
export interface PendingAmended {
  expiresAt: Date;
  /** What it writes when it is applied: until then nothing else changes what the order bought. */
  fields: AmendedFields;
}

/** An order. Its status is its state, or the company's label on a placed one: see `orderStateFrom`. */
export interface OrderDocument extends Omit<Order, 'id' | 'companyId' | 'pendingAmendment' | Times>, WithOutbox {
  companyId: Tenant;
  /** The original of the API key that placed it. */
  placedBy: string;
  /** The table at which its cart session had a seat. */
  tableCommitmentId?: string;
  /** How many seats it had there. */
  seats?: number;
  /** When that session was created: its id may be used again. */
  sessionCreatedAt?: string;
  /** Digest of the request, to recognize a repeat: the same order number with the same content. */
  fingerprint: string;
  claims: RedemptionClaim[];
  tickets: TicketClaim[];
  /**
   * What its price was computed from. Absent if prices were stated or too many adjustments apply: it is never repriced.
   */
  basis?: PriceBasis;
  /** Absent until it is amended. */
  amended?: Amended;
  pendingAmendment?: PendingAmended;
  /** Search terms: see `orderTerms`. */
  terms: string[];
  /** The last revision of what it claimed: a reopening or an amendment, or one that was declared void. Absent: none. */
  revision?: number;
  /** The revision with which it was last reopened. Absent if it never was. */
  reopenings?: number;
  /** The ids of the request attempts that changed it last: none of them changes it a second time. */
  attempts?: string[];
  createdAt: Date;
  changedAt: Date;
  /** When an order expires unless it is confirmed before, or when it expired. */
  expiresAt?: Date;
  /** When a reopening made it pending; otherwise it was pending from the start. */
  pendingSince?: Date;
  cancelledAt?: Date;
}

/** An amendment that is not the last one of its order: see `amendmentRepository`. */
export interface AmendmentDocument extends Omit<AmendmentWithBefore, 'id'> {
  _id: string;
  companyId: Tenant;
}

/** An order in the report of a call-off; `waiting` until it is dealt with. It names nobody. */
export interface CalledOffDocument {
  _id: string;
  companyId: Tenant;
  callOffId: string;
  orderId: string;
  state: CalledOffState | 'waiting';
  tickets: number;
  currency: string;
  /** Minor units. Absent if it must be determined by hand. */
  toPayBack?: number;
  why?: string;
  purgeAt: Date;
}

/** The attempts at an order: see `orderNumbers`. */
export interface OrderNumberDocument {
  _id: string;
  companyId: Tenant;
  orderId: string;
  /** As in the order. */
  fingerprint: string;
  /** The attempts that have not failed. Without any, the order is abandoned. */
  attempts: string[];
  /** What the failed ones held, as long as others may need it. */
  left?: { redemptions: RedemptionClaim[]; tickets: TicketClaim[]; sessions: string[] };
  changedAt: Date;
}

/** Marks an order as never written: it uses up the order's id, so that a late write of the order fails. */
export interface VoidOrderDocument {
  _id: string;
  voidedAt: Date;
}

/** A coupon: what the company defined, and what has happened to it since. */
export interface CouponDocument extends WithOutbox {
  companyId: Tenant;
  definition: CouponDefinition;
  /** The key of its code. */
  codeKey?: string;
  /** That key while the coupon holds the code; an ended coupon keeps it until another one asks for it. */
  heldCode?: string;
  /** Search terms: see `couponTerms`. */
  terms: string[];
  quantitySold: number;
  /** The version of the usage that `quantitySold` comes from. */
  usageVersion: number;
  /** Whether another adjustment holds the code, according to pricing. */
  codeConflict: boolean;
  /** The version of the coupon's adjustment that `codeConflict` comes from. */
  adjustmentVersion?: number;
  archived: boolean;
  /** Whether it is archived because its creation failed. Absent if it was never changed. */
  undone?: boolean;
  /** Whether a repeat of the request that created it was answered, so that the first attempt must not undo it. */
  kept?: boolean;
  version: number;
  created: Date;
  changed: Date;
}

export interface CommerceModels {
  orders: Model<OrderDocument>;
  amendments: Model<AmendmentDocument>;
  calledOffOrders: Model<CalledOffDocument>;
  orderNumbers: Model<OrderNumberDocument>;
  coupons: Model<CouponDocument>;
}

const VOID_KEPT_SECONDS = 7 * 24 * 60 * 60;
/** Longer than requests last and claims stay pending: after that, only the order itself decides who has a number. */
const NUMBER_KEPT_SECONDS = 15 * 60;
const required = { required: true } as const;
const free = { type: Schema.Types.Mixed, ...required };

const orderSchema = new Schema<OrderDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    orderNumber: { type: String, ...required },
    currency: { type: String, ...required },
    organizerId: { type: String, ...required },
    contextId: { type: String, ...required },
    customer: free,
    status: { type: String, ...required },
    items: free,
    costs: free,
    coupons: free,
    agreements: free,
    answers: free,
    forwarded: free,
    meta: free,
    uid: String,
    cartSessionId: String,
    tableCommitmentId: String,
    seats: Number,
    sessionCreatedAt: String,
    customerSegment: String,
    channelId: String,
    pricing: free,
    placedBy: { type: String, ...required },
    context: free,
    fingerprint: { type: String, ...required },
    claims: free,
    tickets: free,
    basis: Schema.Types.Mixed,
    amended: Schema.Types.Mixed,
    pendingAmendment: Schema.Types.Mixed,
    amendments: Number,
    terms: { type: [String], ...required },
    revision: Number,
    reopenings: Number,
    attempts: { type: [String], default: undefined },
    version: { type: Number, ...required },
    createdAt: { type: Date, ...required },
    changedAt: { type: Date, ...required },
    expiresAt: Date,
    pendingSince: Date,
    cancelledAt: Date,
    callOff: Schema.Types.Mixed,
    outbox: outboxPath,
  },
  { collection: 'orders', versionKey: false, minimize: false },
)
  .index(
    { companyId: 1, orderNumber: 1 },
    { unique: true, partialFilterExpression: { orderNumber: { $exists: true } } },
  )
  .index({ companyId: 1, _id: -1 })
  .index({ companyId: 1, contextId: 1, _id: -1 })
  .index({ companyId: 1, 'customer.id': 1, _id: -1 })
  .index({ companyId: 1, uid: 1, _id: -1 }, { partialFilterExpression: { uid: { $exists: true } } })
  .index({ companyId: 1, terms: 1, _id: -1 })
  .index({ companyId: 1, status: 1, _id: -1 })
  .index(...outboxIndex);
/** What the sweeps look for. */
orderSchema.index({ companyId: 1, expiresAt: 1 }, { partialFilterExpression: { status: 'pending' } });
orderSchema.index(
  { companyId: 1, 'pendingAmendment.expiresAt': 1 },
  { partialFilterExpression: { 'pendingAmendment.expiresAt': { $exists: true } } },
);
orderSchema.index(
  { voidedAt: 1 },
  {
    expireAfterSeconds: VOID_KEPT_SECONDS,
    partialFilterExpression: { voidedAt: { $exists: true } },
  },
);

const amendmentSchema = new Schema<AmendmentDocument>(
  { _id: String, companyId: { type: String, ...required }, orderId: { type: String, ...required } },
  { collection: 'order_amendments', versionKey: false, minimize: false },
).index({ companyId: 1, orderId: 1 });

const calledOffSchema = new Schema<CalledOffDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    callOffId: { type: String, ...required },
    orderId: { type: String, ...required },
    state: { type: String, ...required },
    tickets: { type: Number, ...required },
    currency: { type: String, ...required },
    toPayBack: Number,
    why: String,
    purgeAt: { type: Date, ...required },
  },
  { collection: 'called_off_orders', versionKey: false },
)
  .index({ companyId: 1, callOffId: 1, orderId: 1 })
  .index({ companyId: 1, callOffId: 1, _id: -1 })
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const orderNumberSchema = new Schema<OrderNumberDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    orderId: { type: String, ...required },
    fingerprint: { type: String, ...required },
    attempts: { type: [String], ...required },
    left: Schema.Types.Mixed,
    changedAt: { type: Date, ...required },
  },
  { collection: 'order_numbers', versionKey: false },
).index({ changedAt: 1 }, { expireAfterSeconds: NUMBER_KEPT_SECONDS });

const couponSchema = new Schema<CouponDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    definition: free,
    heldCode: String,
    codeKey: String,
    terms: { type: [String], ...required },
    quantitySold: { type: Number, ...required },
    usageVersion: { type: Number, ...required },
    codeConflict: { type: Boolean, ...required },
    adjustmentVersion: Number,
    archived: { type: Boolean, ...required },
    undone: Boolean,
    kept: Boolean,
    version: { type: Number, ...required },
    created: { type: Date, ...required },
    changed: { type: Date, ...required },
    outbox: outboxPath,
  },
  { collection: 'coupons', versionKey: false, minimize: false },
)
  .index({ companyId: 1, heldCode: 1 }, { unique: true, partialFilterExpression: { heldCode: { $exists: true } } })
  .index({ companyId: 1, codeKey: 1, _id: -1 }, { partialFilterExpression: { codeKey: { $exists: true } } })
  .index({ companyId: 1, _id: -1 })
  .index({ companyId: 1, terms: 1, _id: -1 })
  .index({ companyId: 1, 'definition.contextIds': 1, _id: -1 })
  // For statuses. None has a field that a redemption changes.
  .index(
    { companyId: 1, 'definition.enabled': 1, _id: -1 },
    { partialFilterExpression: { 'definition.enabled': false } },
  )
  .index({ companyId: 1, codeConflict: 1, _id: -1 }, { partialFilterExpression: { codeConflict: true } })
  .index(
    { companyId: 1, 'definition.expiresAt': 1, _id: -1 },
    { partialFilterExpression: { 'definition.expiresAt': { $exists: true } } },
  )
  .index(
    { companyId: 1, _id: -1, 'definition.limit': 1 },
    { partialFilterExpression: { 'definition.limit': { $exists: true } } },
  )
  .index(...outboxIndex);

/** The collections of the commerce database. */
export function commerceModels(connection: Connection): CommerceModels {
  return {
    orders: connection.model<OrderDocument>('Order', orderSchema),
    amendments: connection.model<AmendmentDocument>('Amendment', amendmentSchema),
    calledOffOrders: connection.model<CalledOffDocument>('CalledOffOrder', calledOffSchema),
    orderNumbers: connection.model<OrderNumberDocument>('OrderNumber', orderNumberSchema),
    coupons: connection.model<CouponDocument>('Coupon', couponSchema),
  };
}
