import type { KeyEnvironment, Tenant } from '@event-commerce/contracts';
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

/** Which process does a piece of work: see `lease.ts`. */
export interface LeaseDocument {
  _id: string;
  holder: string;
  /** Changed by the holder at every renewal. */
  beat: number;
}

export interface ActivityModels {
  entries: Model<EntryDocument>;
  heads: Model<HeadDocument>;
  companies: Model<CompanyLogDocument>;
  hours: Model<HourDocument>;
  leases: Model<LeaseDocument>;
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
  },
  { collection: 'entries', ...options },
)
  .index({ companyId: 1, position: 1 })
  .index({ companyId: 1, terms: 1, position: 1 });

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

/** The collections of the activity database. */
export function activityModels(connection: Connection): ActivityModels {
  return {
    entries: connection.model<EntryDocument>('Entry', entrySchema),
    heads: connection.model<HeadDocument>('Head', headSchema),
    companies: connection.model<CompanyLogDocument>('CompanyLog', companySchema),
    hours: connection.model<HourDocument>('Hour', hourSchema),
    leases: connection.model<LeaseDocument>('Lease', leaseSchema),
  };
}
