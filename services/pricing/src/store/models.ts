import type { Adjustment, CouponState, RedemptionStatus, Tenant } from '@event-commerce/contracts';
import { outboxIndex, outboxPath, type WithOutbox } from '@event-commerce/outbox';
import { indexesOf, type IndexesOn } from '@event-commerce/service-kit';
import { type Connection, type IndexDefinition, type IndexOptions, type Model, Schema } from 'mongoose';

/** A redemption that an order has claimed and not yet confirmed: it counts against the caps. */
export interface PendingClaim {
  id: string;
  orderId: string;
  customerId?: string | undefined;
  code?: string | undefined;
  quantity: number;
  /** Whether it is counted for its customer too. */
  perCustomer: boolean;
  /** Who can say whether the order exists: commerce, or the ledger when the caller redeemed directly. */
  settledBy: 'commerce' | 'ledger';
  /** What all copies of the order have in common; missing where the claim was made before orders had a key. */
  key?: string | undefined;
  /** A digest of what the order says. */
  content?: string | undefined;
  /** The requests that rely on the claim: it may be let go only by the last of them. */
  attempts?: string[];
}

/** That a redemption is to be given back, until it is: `by` whom, which differs each time that somebody tries. */
export interface Releasing {
  id: string;
  by: string;
}

interface Counters {
  /** Redemptions for good. */
  confirmed: number;
  /** Confirmed and pending together: what the cap is held against. */
  claimed: number;
  pending: PendingClaim[];
}

/** What an adjustment is; how often it was redeemed is kept apart, since every redemption writes that. */
export interface AdjustmentDocument
  extends Omit<Adjustment, 'id' | 'companyId' | 'created' | 'changed' | 'targets'>, WithOutbox {
  companyId: Tenant;
  targets: { urn: string; eventId?: string; offeringId?: string }[];
  created: Date;
  changed: Date;
  version: number;
  /** For a coupon's adjustment: the coupon's version that it follows, and whether somebody else holds its code. */
  couponVersion?: number;
  codeConflict?: boolean;
  /** What it takes of pricing's memory while it is live; adjustments of earlier releases lack it until they change. */
  memoryBytes?: number;
  /** The code while the adjustment is active; a unique index lets one active adjustment of a company hold it. */
  heldCode?: string;
  /** The version that first capped what each customer may redeem: from then on customers are counted, whether capped or not. */
  customersSince?: number;
}

/**
 * An adjustment's usage, under the adjustment's id: one small document, so that one conditional update decides whether claims
 * fit. It is made by the first claim.
 */
export interface UsageDocument extends Counters, WithOutbox {
  companyId: Tenant;
  /** The version of the adjustment that claims must know to be admitted: who decides by an older one is refused. */
  definitionVersion: number;
  origin: Adjustment['origin'];
  couponId?: string;
  /** As the adjustment has it. */
  customersSince?: number;
  /** The keys of the orders that were confirmed last: a copy of one that comes late does not claim again. */
  recent?: string[];
  /** Redemptions that are being given back. */
  releasing?: Releasing[];
  version: number;
}

/** One customer's usage of an adjustment that is capped per customer. */
export interface CustomerUsageDocument extends Counters {
  _id: string;
  companyId: Tenant;
  /** The claims that were confirmed last, so that whoever is late with one of them does not count it again. */
  counted: string[];
  /**
   * The adjustment's `customersSince` that the counters were begun under; those begun under another are counted anew. 0 in a document
   * that has not been begun.
   */
  since?: number;
  /** Counts every change. */
  rev?: number;
}

/** The ledger: how each claim ended, written once. A claim is what its ledger entry says, whatever the counters say. */
export interface RedemptionDocument {
  _id: string;
  companyId: Tenant;
  adjustmentId: string;
  orderId: string;
  customerId?: string;
  code?: string;
  quantity: number;
  status: RedemptionStatus;
  created: Date;
  /** As the claim has them; missing in entries that are older than these members. */
  key?: string;
  settledBy?: PendingClaim['settledBy'];
  /** Who gave it back. */
  releasedBy?: string;
}

/** A coupon as commerce last said it is. */
export interface CouponStateDocument {
  _id: string;
  companyId: Tenant;
  version: number;
  state: CouponState;
}

/** The adjustments that changed last, of all companies, and the replicas that have to know: one document. */
export interface ChangeLogDocument {
  _id: string;
  /** How many changes there were ever. */
  sequence: number;
  /** The last of them, as the repository encodes them. */
  recent?: string[];
  members?: string[];
}

export interface PricingModels {
  adjustments: Model<AdjustmentDocument>;
  changeLogs: Model<ChangeLogDocument>;
  usages: Model<UsageDocument>;
  customerUsage: Model<CustomerUsageDocument>;
  redemptions: Model<RedemptionDocument>;
  couponStates: Model<CouponStateDocument>;
}

const pendingClaim = new Schema<PendingClaim>(
  {
    id: { type: String, required: true },
    orderId: { type: String, required: true },
    customerId: String,
    code: String,
    quantity: { type: Number, required: true },
    perCustomer: { type: Boolean, required: true },
    settledBy: { type: String, required: true },
    key: String,
    content: String,
    attempts: { type: [String], default: undefined },
  },
  { _id: false },
);

const counters = {
  confirmed: { type: Number, required: true },
  claimed: { type: Number, required: true },
  pending: { type: [pendingClaim], required: true },
};

const required = { required: true } as const;

const adjustmentSchema = new Schema<AdjustmentDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    name: { type: String, ...required },
    type: { type: String, ...required },
    category: { type: String, ...required },
    origin: { type: String, ...required },
    application: { type: String, ...required },
    stacking: { type: String, ...required },
    effectBase: { type: String, ...required },
    priority: { type: Number, ...required },
    targets: { type: [new Schema({ urn: String, eventId: String, offeringId: String }, { _id: false })], ...required },
    conditions: { type: Schema.Types.Mixed, ...required },
    effect: { type: Schema.Types.Mixed, ...required },
    status: { type: String, ...required },
    created: { type: Date, ...required },
    changed: { type: Date, ...required },
    version: { type: Number, ...required },
    couponId: String,
    couponVersion: Number,
    codeConflict: Boolean,
    memoryBytes: Number,
    heldCode: String,
    customersSince: Number,
    outbox: outboxPath,
  },
  { collection: 'adjustments', versionKey: false, minimize: false },
)
  .index({ companyId: 1, heldCode: 1 }, { unique: true, partialFilterExpression: { heldCode: { $exists: true } } })
  .index({ companyId: 1, couponId: 1 }, { unique: true, partialFilterExpression: { couponId: { $exists: true } } })
  .index({ companyId: 1, codeConflict: 1 }, { partialFilterExpression: { codeConflict: true } })
  .index({ companyId: 1, status: 1, _id: -1 })
  .index({ companyId: 1, _id: -1 })
  .index(...outboxIndex);

const changeLogSchema = new Schema<ChangeLogDocument>(
  { _id: String, sequence: { type: Number, ...required }, recent: [String], members: [String] },
  { collection: 'change_log', versionKey: false },
);

/** What the sweep for claims looks for; the index answers it, which holds only the documents that have pending claims. */
export const HAS_PENDING = { 'pending.0': { $exists: true } } as const;

/** The arguments of `schema.index`. */
const pendingIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1, _id: 1 },
  { name: 'pending', partialFilterExpression: { 'pending.0': { $exists: true } } },
];

/** What the sweep for redemptions that are being given back looks for. */
export const HAS_RELEASING = { 'releasing.0': { $exists: true } } as const;

const releasingIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1, _id: 1 },
  { name: 'releasing', partialFilterExpression: { 'releasing.0': { $exists: true } } },
];

// Every redemption writes this document, and every index of it: it has no more than it needs.
const usageSchema = new Schema<UsageDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    definitionVersion: { type: Number, ...required },
    origin: { type: String, ...required },
    couponId: String,
    customersSince: Number,
    recent: { type: [String], default: undefined },
    releasing: { type: [new Schema({ id: String, by: String }, { _id: false })], default: undefined },
    ...counters,
    version: { type: Number, ...required },
    outbox: outboxPath,
  },
  { collection: 'usages', versionKey: false },
)
  .index(...pendingIndex)
  .index(...releasingIndex)
  .index(...outboxIndex);

const customerUsageSchema = new Schema<CustomerUsageDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    ...counters,
    counted: { type: [String], ...required },
    since: Number,
    rev: Number,
  },
  { collection: 'customer_usage', versionKey: false },
).index(...pendingIndex);

const redemptionSchema = new Schema<RedemptionDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    adjustmentId: { type: String, ...required },
    orderId: { type: String, ...required },
    customerId: String,
    code: String,
    quantity: { type: Number, ...required },
    status: { type: String, ...required },
    created: { type: Date, ...required },
    key: String,
    settledBy: String,
    releasedBy: String,
  },
  { collection: 'redemptions', versionKey: false },
)
  .index({ adjustmentId: 1, orderId: 1 }, { unique: true, partialFilterExpression: { status: 'confirmed' } })
  .index({ adjustmentId: 1, customerId: 1 }, { partialFilterExpression: { customerId: { $exists: true } } })
  .index({ adjustmentId: 1, _id: -1 });

const couponStateSchema = new Schema<CouponStateDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    version: { type: Number, ...required },
    state: { type: Schema.Types.Mixed, ...required },
  },
  { collection: 'coupon_states', versionKey: false, minimize: false },
);

/** The collections of the pricing database. */
export function pricingModels(connection: Connection): PricingModels {
  return {
    adjustments: connection.model<AdjustmentDocument>('Adjustment', adjustmentSchema),
    changeLogs: connection.model<ChangeLogDocument>('ChangeLog', changeLogSchema),
    usages: connection.model<UsageDocument>('Usage', usageSchema),
    customerUsage: connection.model<CustomerUsageDocument>('CustomerUsage', customerUsageSchema),
    redemptions: connection.model<RedemptionDocument>('Redemption', redemptionSchema),
    couponStates: connection.model<CouponStateDocument>('CouponState', couponStateSchema),
  };
}

/** The indexes of the pricing database. */
export const pricingIndexes: IndexesOn = (connection) => indexesOf(pricingModels(connection));
