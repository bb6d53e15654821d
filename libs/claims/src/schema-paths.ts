import { Schema } from 'mongoose';
import type { PendingClaim } from './claim.ts';

// The schema paths of pools, shares and ledgers. Whoever owns the documents adds paths and indexes of its own.

const required = { required: true } as const;

const pendingClaim = new Schema<PendingClaim>(
  {
    id: { type: String, ...required },
    orderId: { type: String, ...required },
    customerId: String,
    code: String,
    quantity: { type: Number, ...required },
    settledBy: { type: String, ...required },
    reopening: Number,
  },
  { _id: false },
);
const move = new Schema({ id: String, by: String, from: String, to: String }, { _id: false });

export const sharePaths = {
  _id: String,
  companyId: { type: String, ...required },
  claimed: { type: Number, ...required },
  pending: { type: [pendingClaim], ...required },
  definitionVersion: { type: Number, ...required },
  parentVersion: Number,
  recent: { type: [String], default: undefined },
  moving: { type: [move], default: undefined },
  version: { type: Number, ...required },
};

export const poolPaths = {
  ...sharePaths,
  confirmed: { type: Number, ...required },
  limit: Number,
};

/** The fields of a ledger entry, except the pool's id, whose name the owner chooses. */
export const ledgerPaths = {
  _id: String,
  companyId: { type: String, ...required },
  orderId: { type: String, ...required },
  customerId: String,
  code: String,
  quantity: { type: Number, ...required },
  status: { type: String, ...required },
  created: { type: Date, ...required },
  settledBy: { type: String, ...required },
  confirmedBy: String,
  releasedBy: String,
};
