import type {
  DeliveryAttempt,
  EraseCustomerRequest,
  ErasureFound,
  ErasureRemains,
  KeyEnvironment,
  OrderSale,
  SaleCounts,
  Tenant,
} from '@event-commerce/contracts';
import { type OutboxEntry, outboxIndex, outboxPath } from '@event-commerce/outbox';
import { type JobDocument, jobIndexes, jobPaths, type LeaseDocument } from '@event-commerce/service-kit';
import { type Connection, type Model, Schema } from 'mongoose';

/** An entry of the log. Its `_id` is the event's id, so that one that is read twice is kept once. */
export interface EntryDocument {
  _id: string;
  companyId: Tenant;
  environment: KeyEnvironment;
  /** Its place in the log: see `domain/position.ts`. */
  position: number;
  /** What it is found by: see `domain/terms.ts`. */
  terms: string[];
  type: string;
  subject: string;
  at: Date;
  version?: number;
  keyId?: string;
  keyName?: string;
  requestId?: string;
  related: string[];
  /** The data that the company is shown, as JSON text: the database never reads it. */
  data: string;
  /** What changed, as JSON text likewise. */
  changes?: string;
  /** The size of the entry, for the bound of the company's log. */
  bytes: number;
  /** What an order's change adds to the counts of sales: see `sales/`. Not shown. */
  sale?: OrderSale;
}

/** How far the log reaches, in one document: readers see nothing beyond it. */
export interface HeadDocument {
  _id: 'head';
  /** The position of the last entry. */
  position: number;
  /** When the broker's stream was created: another time means another stream, and another epoch. */
  streamCreated: string;
}

/** A company's log. */
export interface CompanyLogDocument {
  /** The tenant. */
  _id: string;
  /** Entries up to this position are not shown, and will be deleted. */
  forgottenTo: number;
  /** The size of the entries after that. */
  bytes: number;
}

/** Where the log was at some hour: what is older than a time is found without reading entries. */
export interface HourDocument {
  /** The hour, such as `2027-07-10T18`. */
  _id: string;
  at: Date;
  position: number;
}

/** What is counted in one quarter of an hour. */
export interface CountedQuarter {
  added?: SaleCounts;
  returned?: SaleCounts;
  /** Pending orders that expired. */
  expired?: number;
}

/**
 * The sales of a UTC day in one currency: of all orders, an event or a series, or of an adjustment within one of these.
 */
export interface SaleDayDocument {
  _id: string;
  companyId: Tenant;
  /** `all`, `event <id>` or `series <id>`. */
  of: string;
  adjustmentId?: string;
  /** What the adjustment was called when it was last redeemed, and with which code. */
  name?: string;
  code?: string;
  currency: string;
  day: Date;
  /** By the number of the quarter: see `sales/domain/quarters.ts`. */
  quarters: Record<string, CountedQuarter>;
  /** The position of the last entry of the log that this counts. */
  position: number;
}

/** How far sales are counted: everything up to a position in the log. */
export interface CountedDocument {
  _id: 'sales';
  position: number;
}

/** A secret of a webhook, encrypted: see `seal.ts`. */
export interface StoredSecret {
  sealed: string;
  /** A previous secret signs until then. */
  validUntil?: Date;
}

/** A webhook: where a company's events are sent. */
export interface WebhookDocument {
  /** `whk_...` */
  _id: string;
  companyId: Tenant;
  url: string;
  types: string[];
  /**
   * The terms of the entries that it gets: those of `types` that the key that chose them may read. See
   * `log/domain/terms.ts`.
   */
  wants: string[];
  description?: string;
  /** A deleted one stays until its last event is published. */
  status: 'active' | 'paused' | 'deleted';
  pausedBy?: 'company' | 'platform';
  statusReason?: string;
  /** The newest first. */
  secrets: StoredSecret[];
  /** Everything that it gets up to this position was delivered, or has a document in `deliveries`. */
  cursor: number;
  /** Its first event comes after this position. */
  startedAt: number;
  /** When its attempts began to fail without any success since, and whether its company was told. */
  failingSince?: Date;
  toldFailing?: boolean;
  version: number;
  created: Date;
  changed: Date;
  /** When anything changed that a delivering process must know. */
  touched: Date;
  /** When the database deletes a deleted one. */
  purgeAt?: Date;
  outbox?: OutboxEntry[];
}

/** An event that did not arrive at its first attempt. Those that did have no document. */
export interface DeliveryDocument {
  /** The webhook's id and the event's. */
  _id: string;
  companyId: Tenant;
  webhookId: string;
  eventId: string;
  position: number;
  type: string;
  subject: string;
  at: Date;
  status: 'retrying' | 'waiting' | 'parked' | 'delivered';
  /** How often it failed. Attempts while the endpoint is down do not count. */
  failures: number;
  attempts: DeliveryAttempt[];
  /** Only while it is retried. */
  nextAttemptAt?: Date;
  /** When the database deletes it. */
  purgeAt?: Date;
}

/** Attempts that succeeded at once, many in one document. */
export interface AttemptBlockDocument {
  _id: string;
  companyId: Tenant;
  webhookId: string;
  /** The positions of the first and the last of its events. */
  from: number;
  to: number;
  attempts: (DeliveryAttempt & { eventId: string })[];
  purgeAt: Date;
}

/** Past events that are sent again. */
export interface ReplayDocument {
  /** `rpl_...` */
  _id: string;
  companyId: Tenant;
  webhookId: string;
  wants: string[];
  /** If only some types are sent: the terms of which an entry must also have one. */
  among?: string[];
  /** What is left: after `cursor`, up to `upTo`. */
  cursor: number;
  upTo: number;
  from?: Date;
  to?: Date;
  sent: number;
  status: 'running' | 'done';
  purgeAt?: Date;
}

/** What an erasure works with. It says who the customer was only while it runs, and encrypted. */
export interface ErasureInput {
  /** A `CustomerIdentity` as JSON text, sealed for the erasure. */
  sealed: string;
  /** The end of the log at the start. */
  startedAt: number;
  /** What the request said about itself. */
  cause: EraseCustomerRequest['cause'];
}

export interface ErasureProgress {
  pseudonym: string;
  found: ErasureFound;
}

export type ErasureDocument = JobDocument<ErasureInput, ErasureProgress, ErasureRemains[]>;

export interface ActivityModels {
  webhooks: Model<WebhookDocument>;
  deliveries: Model<DeliveryDocument>;
  attemptBlocks: Model<AttemptBlockDocument>;
  replays: Model<ReplayDocument>;
  entries: Model<EntryDocument>;
  heads: Model<HeadDocument>;
  companies: Model<CompanyLogDocument>;
  hours: Model<HourDocument>;
  leases: Model<LeaseDocument>;
  erasures: Model<ErasureDocument>;
  saleDays: Model<SaleDayDocument>;
  counted: Model<CountedDocument>;
}

const required = { required: true } as const;
const options = { versionKey: false } as const;

const entrySchema = new Schema<EntryDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    environment: { type: String, ...required },
    position: { type: Number, ...required },
    terms: { type: [String], ...required },
    type: { type: String, ...required },
    subject: { type: String, ...required },
    at: { type: Date, ...required },
    version: Number,
    keyId: String,
    keyName: String,
    requestId: String,
    related: { type: [String], ...required },
    data: { type: String, ...required },
    changes: String,
    bytes: { type: Number, ...required },
    sale: Schema.Types.Mixed,
  },
  { collection: 'entries', ...options },
)
  .index({ companyId: 1, position: 1 })
  .index({ companyId: 1, terms: 1, position: 1 })
  // What was added since: whose log has grown, and what sales count.
  .index({ position: 1 });

const headSchema = new Schema<HeadDocument>(
  { _id: String, position: { type: Number, ...required }, streamCreated: { type: String, ...required } },
  { collection: 'heads', ...options },
);

const companySchema = new Schema<CompanyLogDocument>(
  { _id: String, forgottenTo: { type: Number, ...required }, bytes: { type: Number, ...required } },
  { collection: 'company_logs', ...options },
);

const hourSchema = new Schema<HourDocument>(
  { _id: String, at: { type: Date, ...required }, position: { type: Number, ...required } },
  { collection: 'hours', ...options },
).index({ at: 1 });

const leaseSchema = new Schema<LeaseDocument>(
  { _id: String, holder: { type: String, ...required }, beat: { type: Number, ...required } },
  { collection: 'leases', ...options },
);

const attempt = {
  at: { type: String, ...required },
  responseStatus: Number,
  durationMs: { type: Number, ...required },
  error: String,
  responseBody: String,
};

const webhookSchema = new Schema<WebhookDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    url: { type: String, ...required },
    types: { type: [String], ...required },
    wants: { type: [String], ...required },
    description: String,
    status: { type: String, ...required },
    pausedBy: String,
    statusReason: String,
    secrets: [new Schema<StoredSecret>({ sealed: { type: String, ...required }, validUntil: Date }, { _id: false })],
    cursor: { type: Number, ...required },
    startedAt: { type: Number, ...required },
    failingSince: Date,
    toldFailing: Boolean,
    version: { type: Number, ...required },
    created: { type: Date, ...required },
    changed: { type: Date, ...required },
    touched: { type: Date, ...required },
    purgeAt: Date,
    outbox: outboxPath,
  },
  { collection: 'webhooks', ...options },
)
  .index({ companyId: 1, _id: -1 })
  .index({ touched: 1 })
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 })
  .index(...outboxIndex);

const deliverySchema = new Schema<DeliveryDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    webhookId: { type: String, ...required },
    eventId: { type: String, ...required },
    position: { type: Number, ...required },
    type: { type: String, ...required },
    subject: { type: String, ...required },
    at: { type: Date, ...required },
    status: { type: String, ...required },
    failures: { type: Number, ...required },
    attempts: [new Schema<DeliveryAttempt>(attempt, { _id: false })],
    nextAttemptAt: Date,
    purgeAt: Date,
  },
  { collection: 'deliveries', ...options },
)
  .index({ webhookId: 1, status: 1, position: 1 })
  .index({ webhookId: 1, position: 1 })
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const attemptBlockSchema = new Schema<AttemptBlockDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    webhookId: { type: String, ...required },
    from: { type: Number, ...required },
    to: { type: Number, ...required },
    attempts: [new Schema({ ...attempt, eventId: { type: String, ...required } }, { _id: false })],
    purgeAt: { type: Date, ...required },
  },
  { collection: 'attempt_blocks', ...options },
)
  .index({ webhookId: 1, to: 1 })
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const replaySchema = new Schema<ReplayDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    webhookId: { type: String, ...required },
    wants: { type: [String], ...required },
    among: { type: [String], default: undefined },
    cursor: { type: Number, ...required },
    upTo: { type: Number, ...required },
    from: Date,
    to: Date,
    sent: { type: Number, ...required },
    status: { type: String, ...required },
    purgeAt: Date,
  },
  { collection: 'replays', ...options },
)
  .index({ webhookId: 1, status: 1 })
  .index({ purgeAt: 1 }, { expireAfterSeconds: 0 });

const erasureSchema = new Schema<ErasureDocument>(jobPaths, { collection: 'erasures', ...options, minimize: false });
for (const index of jobIndexes) erasureSchema.index(...index);

const saleDaySchema = new Schema<SaleDayDocument>(
  {
    _id: String,
    companyId: { type: String, ...required },
    of: { type: String, ...required },
    adjustmentId: String,
    name: String,
    code: String,
    currency: { type: String, ...required },
    day: { type: Date, ...required },
    quarters: { type: Schema.Types.Mixed, ...required },
    position: { type: Number, ...required },
  },
  { collection: 'sale_days', ...options },
)
  .index({ companyId: 1, of: 1, adjustmentId: 1, day: 1 })
  .index({ companyId: 1, of: 1, day: 1 }, { partialFilterExpression: { adjustmentId: { $exists: true } } });

const countedSchema = new Schema<CountedDocument>(
  { _id: String, position: { type: Number, ...required } },
  { collection: 'counted', ...options },
);

/** The collections of the activity database. */
export function activityModels(connection: Connection): ActivityModels {
  return {
    entries: connection.model<EntryDocument>('Entry', entrySchema),
    heads: connection.model<HeadDocument>('Head', headSchema),
    companies: connection.model<CompanyLogDocument>('CompanyLog', companySchema),
    hours: connection.model<HourDocument>('Hour', hourSchema),
    leases: connection.model<LeaseDocument>('Lease', leaseSchema),
    webhooks: connection.model<WebhookDocument>('Webhook', webhookSchema),
    deliveries: connection.model<DeliveryDocument>('Delivery', deliverySchema),
    attemptBlocks: connection.model<AttemptBlockDocument>('AttemptBlock', attemptBlockSchema),
    replays: connection.model<ReplayDocument>('Replay', replaySchema),
    erasures: connection.model<ErasureDocument>('Erasure', erasureSchema),
    saleDays: connection.model<SaleDayDocument>('SaleDay', saleDaySchema),
    counted: connection.model<CountedDocument>('Counted', countedSchema),
  };
}
