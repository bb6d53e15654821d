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
import type { Adjustment, Budget, Cause, CouponState, RehearsalReport, Tenant } from '@event-commerce/contracts';
import { outboxIndex, outboxPath, type WithOutbox } from '@event-commerce/outbox';
import { type JobDocument, jobIndexes, jobPaths } from '@event-commerce/service-kit';
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

/**
 * What is claimed of an adjustment, of one of its issued codes, or of its tickets, or drawn on a budget: the limits are
 * compared with these. The first claim creates it, except that of a code, which is created when the code is issued.
 */
export interface UsageDocument extends PoolDocument, Partial<IssuedFields> {
  /** Absent for a budget. */
  origin?: Adjustment['origin'];
  couponId?: string;
}

/** The additional fields of the pool of an issued code. */
interface IssuedFields {
  code: string;
  /** The key by which it is found: see `compactKey`. */
  codeKey: string;
  batchId: string;
  /** Its place in a generated batch: each is filled once. */
  slot: number;
}

/** Codes that were issued together for a coupon. */
export interface CodeBatchDocument extends WithOutbox {
  _id: string;
  companyId: Tenant;
  couponId: string;
  adjustmentId: string;
  kind: 'generated' | 'imported';
  /** Only for a generated batch. */
  pattern?: string;
  limitPerCode: number;
  /** How many codes it has, once all are made. */
  count: number;
  made: number;
  status: 'running' | 'done' | 'revoking' | 'revoked';
  created: Date;
  finished?: Date;
  version: number;
}

/** The unknown codes that a client entered in one minute, as hashes. */
interface CodeGuessesDocument {
  _id: string;
  codes: string[];
  purgeAt: Date;
}

/** Work on a batch: makes its codes, or revokes them. */
export type CodeJob = JobDocument<{ batchId: string; cause: Cause }, { batchId: string }, Record<string, never>>;

/** Orders of a period that are replayed. `changed`: the changed and created adjustments as they would have been. */
export type RehearsalJob = JobDocument<
  { from: string; to: string; changed: Adjustment[] },
  { from: string; to: string; orders: number; of: number },
  RehearsalReport
>;

/** The ledger of redemptions. Its entry decides the state of a claim, whatever the counters say. */
export interface RedemptionDocument extends LedgerEntry {
  adjustmentId: string;
}

/** A budget; what is drawn on it is counted in `usages`. */
export interface BudgetDocument extends Omit<Budget, 'id' | 'companyId' | 'created' | 'changed' | 'usage'>, WithOutbox {
  companyId: Tenant;
  created: Date;
  changed: Date;
  /** Search terms: the words of its name. */
  terms: string[];
  /** Its latest exhausted pools, each with the version that it had then. */
  exhausted?: string[];
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
  codeBatches: Model<CodeBatchDocument>;
  codeJobs: Model<CodeJob>;
  codeGuesses: Model<CodeGuessesDocument>;
  budgets: Model<BudgetDocument>;
  rehearsals: Model<RehearsalJob>;
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
  {
    ...poolPaths,
    origin: String,
    couponId: String,
    code: String,
    codeKey: String,
    batchId: String,
    slot: Number,
    outbox: outboxPath,
  },
  { collection: 'usages', versionKey: false },
)
  .index({ companyId: 1, codeKey: 1 }, { unique: true, partialFilterExpression: { codeKey: { $exists: true } } })
  .index({ batchId: 1, _id: 1 }, { partialFilterExpression: { batchId: { $exists: true } } })
  .index({ batchId: 1, slot: 1 }, { unique: true, partialFilterExpression: { slot: { $exists: true } } })
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

const codeBatchSchema = new Schema<CodeBatchDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    couponId: { type: String, ...required },
    adjustmentId: { type: String, ...required },
    kind: { type: String, ...required },
    pattern: String,
    limitPerCode: { type: Number, ...required },
    count: { type: Number, ...required },
    made: { type: Number, ...required },
    status: { type: String, ...required },
    created: { type: Date, ...required },
    finished: Date,
    version: { type: Number, ...required },
    outbox: outboxPath,
  },
  { collection: 'code_batches', versionKey: false },
)
  .index({ companyId: 1, couponId: 1, _id: -1 })
  .index(...outboxIndex);

const codeGuessesSchema = new Schema<CodeGuessesDocument>(
  { _id: String, codes: { type: [String], ...required }, purgeAt: { type: Date, ...required } },
  { collection: 'code_guesses', versionKey: false },
).index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const codeJobSchema = new Schema<CodeJob>(jobPaths, { collection: 'code_jobs', versionKey: false, minimize: false });
for (const index of jobIndexes) codeJobSchema.index(...index);

const rehearsalSchema = new Schema<RehearsalJob>(jobPaths, {
  collection: 'rehearsals',
  versionKey: false,
  minimize: false,
})
  // A company has one at a time.
  .index({ companyId: 1 }, { unique: true, partialFilterExpression: { status: 'running' } });
for (const index of jobIndexes) rehearsalSchema.index(...index);

const budgetSchema = new Schema<BudgetDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    name: { type: String, ...required },
    limit: { type: new Schema({ amount: Number, currency: String }, { _id: false }), ...required },
    per: { type: String, ...required },
    timezone: { type: String, ...required },
    onExhausted: { type: String, ...required },
    created: { type: Date, ...required },
    changed: { type: Date, ...required },
    version: { type: Number, ...required },
    terms: { type: [String], ...required },
    exhausted: { type: [String], default: undefined },
    outbox: outboxPath,
  },
  { collection: 'budgets', versionKey: false },
)
  .index({ companyId: 1, _id: -1 })
  .index({ companyId: 1, terms: 1, _id: -1 })
  .index(...outboxIndex);

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
    codeBatches: connection.model<CodeBatchDocument>('CodeBatch', codeBatchSchema),
    codeJobs: connection.model<CodeJob>('CodeJob', codeJobSchema),
    codeGuesses: connection.model<CodeGuessesDocument>('CodeGuesses', codeGuessesSchema),
    budgets: connection.model<BudgetDocument>('Budget', budgetSchema),
    rehearsals: connection.model<RehearsalJob>('Rehearsal', rehearsalSchema),
  };
}
