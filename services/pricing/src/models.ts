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
import type { Adjustment, CouponState, Tenant } from '@event-commerce/contracts';
import { outboxIndex, outboxPath, type WithOutbox } from '@event-commerce/outbox';
import { type Connection, type Model, Schema } from 'mongoose';

/**
 * The definition of an adjustment; its redemptions are counted separately, because every redemption writes that count.
 */
export interface AdjustmentDocument
  extends Omit<Adjustment, 'id' | 'companyId' | 'created' | 'changed' | 'targets'>, WithOutbox {
  companyId: Tenant;
  targets: { urn: string; eventId?: string; offeringId?: string }[];
  created: Date;
  changed: Date;
  version: number;
  /** For a coupon's adjustment: the coupon's version that it follows, and whether another adjustment holds its code. */
  couponVersion?: number;
  codeConflict?: boolean;
  /** The key of its code. */
  codeKey?: string;
  /**
   * That key while the adjustment holds the code: a unique index lets one adjustment of a company hold it. One that has
   * ended keeps it until another needs it.
   */
  heldCode?: string;
  /** Search terms: see `searchTerms`. */
  terms: string[];
}

/** A definition that an adjustment had, under the last version that had it: see `adjustmentVersions`. */
export interface AdjustmentVersionDocument extends Omit<
  AdjustmentDocument,
  'terms' | 'outbox' | 'couponVersion' | 'codeConflict' | 'codeKey' | 'heldCode'
> {
  _id: string;
  adjustmentId: string;
}

/** An adjustment's redemptions, under its id: its caps are compared with these. The first claim creates it. */
export interface UsageDocument extends PoolDocument {
  origin: Adjustment['origin'];
  couponId?: string;
}

/** The ledger of redemptions. Its entry decides the state of a claim, whatever the counters say. */
export interface RedemptionDocument extends LedgerEntry {
  adjustmentId: string;
}

/** A coupon's last state according to commerce. */
interface CouponStateDocument {
  _id: string;
  companyId: Tenant;
  version: number;
  state: CouponState;
}

/** The latest changes of adjustments of all companies, and the replicas that must learn of them: one document. */
export interface ChangeLogDocument {
  _id: string;
  /** How many changes there have ever been. */
  sequence: number;
  /** The last of them, as the repository encodes them. */
  recent?: string[];
  members?: string[];
  /** The removals whose members may still respond with what they read before. */
  leaving?: string[];
}

export interface PricingModels {
  adjustments: Model<AdjustmentDocument>;
  adjustmentVersions: Model<AdjustmentVersionDocument>;
  changeLogs: Model<ChangeLogDocument>;
  usages: Model<UsageDocument>;
  /** The customers' shares of `usages`. */
  customerUsage: Model<PoolDocument>;
  redemptions: Model<RedemptionDocument>;
  couponStates: Model<CouponStateDocument>;
}

const required = { required: true } as const;

const definitionPaths = {
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
} as const;

const adjustmentSchema = new Schema<AdjustmentDocument>(
  {
    _id: String,
    ...definitionPaths,
    couponVersion: Number,
    codeConflict: Boolean,
    codeKey: String,
    heldCode: String,
    terms: { type: [String], ...required },
    outbox: outboxPath,
  },
  { collection: 'adjustments', versionKey: false, minimize: false },
)
  .index({ companyId: 1, heldCode: 1 }, { unique: true, partialFilterExpression: { heldCode: { $exists: true } } })
  .index({ companyId: 1, couponId: 1 }, { unique: true, partialFilterExpression: { couponId: { $exists: true } } })
  .index({ companyId: 1, codeConflict: 1 }, { partialFilterExpression: { codeConflict: true } })
  .index({ companyId: 1, status: 1, _id: -1 })
  .index({ companyId: 1, codeKey: 1, _id: -1 }, { partialFilterExpression: { codeKey: { $exists: true } } })
  .index({ companyId: 1, terms: 1, _id: -1 })
  .index({ companyId: 1, _id: -1 })
  .index(...outboxIndex);

const adjustmentVersionSchema = new Schema<AdjustmentVersionDocument>(
  { _id: String, adjustmentId: { type: String, ...required }, ...definitionPaths },
  { collection: 'adjustment_versions', versionKey: false, minimize: false },
).index({ adjustmentId: 1, version: 1 });

const changeLogSchema = new Schema<ChangeLogDocument>(
  { _id: String, sequence: { type: Number, ...required }, recent: [String], members: [String], leaving: [String] },
  { collection: 'change_log', versionKey: false },
);

// Every redemption writes this document and all of its indexes, so it has no more than it needs.
const usageSchema = new Schema<UsageDocument>(
  { ...poolPaths, origin: { type: String, ...required }, couponId: String, outbox: outboxPath },
  { collection: 'usages', versionKey: false },
)
  .index(...pendingIndex)
  .index(...transitionsIndex)
  .index(...outboxIndex);

const customerUsageSchema = new Schema<PoolDocument>(sharePaths, {
  collection: 'customer_usage',
  versionKey: false,
}).index(...pendingIndex);

const redemptionSchema = new Schema<RedemptionDocument>(
  { ...ledgerPaths, adjustmentId: { type: String, ...required } },
  { collection: 'redemptions', versionKey: false },
)
  .index(...keptIndex('adjustmentId'))
  .index(...heldIndex)
  .index({ adjustmentId: 1, _id: -1 });
for (const index of shareIndexes('adjustmentId')) redemptionSchema.index(...index);

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
    adjustmentVersions: connection.model<AdjustmentVersionDocument>('AdjustmentVersion', adjustmentVersionSchema),
    changeLogs: connection.model<ChangeLogDocument>('ChangeLog', changeLogSchema),
    usages: connection.model<UsageDocument>('Usage', usageSchema),
    customerUsage: connection.model<PoolDocument>('CustomerUsage', customerUsageSchema),
    redemptions: connection.model<RedemptionDocument>('Redemption', redemptionSchema),
    couponStates: connection.model<CouponStateDocument>('CouponState', couponStateSchema),
  };
}
