import type { Tenant } from '@event-commerce/contracts';
import type { WithOutbox } from '@event-commerce/outbox';
import { type Collection, type IndexDefinition, type IndexOptions, Schema } from 'mongoose';
import { KEEPS_PLACE, type LedgerStatus, type PendingClaim, type Step, type Transition } from './claim.ts';

/** A transition of the claim `id` that the counters do not include yet: it is removed when they do. */
export interface PendingTransition extends Transition {
  id: string;
}

/**
 * A pool, or one customer's share of it (under both ids): one small document, so that one conditional update decides
 * whether claims fit.
 */
export interface PoolDocument extends WithOutbox {
  companyId: Tenant;
  /** What placed orders take. Only in a pool: confirming an order changes no share. */
  confirmed?: number;
  /** What pending, held and confirmed claims take: compared with the limit. */
  claimed: number;
  pending: PendingClaim[];
  /**
   * The version of the definition that a claim must know to be admitted. In a share: the newest version of its pool's
   * definition that a claim in it knew.
   */
  definitionVersion: number;
  /** The same for the inherited part of the definition. */
  parentVersion?: number;
  /** The limit of that definition, for readers of the pool that do not have the definition; null if there is none. */
  limit?: number | null;
  /** Marks of the latest claims that kept their places, so that a late copy of an order is not counted again. */
  recent?: string[];
  transitions?: PendingTransition[];
  /** Counts every change. */
  version: number;
}

/** Whether a pool has no place left, by the limit that it knows. */
export function isFull({ claimed, limit }: Pick<PoolDocument, 'claimed' | 'limit'>): boolean {
  return typeof limit === 'number' && claimed >= limit;
}

/** The outcome of a claim, stored under the claim's id, with the pool's id in a field that the owner names. */
export interface LedgerEntry {
  _id: string;
  companyId: Tenant;
  orderId: string;
  customerId?: string;
  shares?: string[];
  code?: string;
  revision?: number;
  /** What it takes; once it has ended, what it took last. */
  quantity: number;
  status: LedgerStatus;
  created: Date;
  settledBy: 'commerce' | 'ledger';
  /** Its transitions since it was entered; absent if there was none. */
  steps?: Step[];
}

/** The collections of pools, customers' shares and the ledger. */
export interface PoolCollections {
  pools: Collection<PoolDocument>;
  /** Undefined if one customer may take any amount. */
  shares: Collection<PoolDocument> | undefined;
  ledger: Collection<LedgerEntry>;
  /** The ledger's name for the pool. */
  poolField: string;
}

/** The filter of the sweep for claims, served by a partial index that contains only documents with pending claims. */
export const HAS_PENDING = { 'pending.0': { $exists: true } } as const;
/** The filter of the sweep for interrupted transitions, served by a partial index of its own. */
export const HAS_TRANSITIONS = { 'transitions.0': { $exists: true } } as const;

/** The arguments of `schema.index` for pools and shares. */
export const pendingIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1, _id: 1 },
  { name: 'pending', partialFilterExpression: { ...HAS_PENDING } },
];
/** The arguments of `schema.index` for pools. */
export const transitionsIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1, _id: 1 },
  { name: 'transitions', partialFilterExpression: { ...HAS_TRANSITIONS } },
];

/** The filter of the sweep for claims of orders that wait, served by a partial index of its own. */
export const IS_HELD = { status: 'held' } as const;
/** The arguments of `schema.index` for ledgers. */
export const heldIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1, _id: 1 },
  { name: 'held', partialFilterExpression: { ...IS_HELD } },
];

/**
 * The arguments of `schema.index` for a ledger that calls its pools `poolField`: a revision of an order keeps one claim
 * in a pool.
 */
export function keptIndex(poolField: string): [IndexDefinition, IndexOptions] {
  return [
    { [poolField]: 1, orderId: 1, revision: 1 },
    { unique: true, partialFilterExpression: { status: { $in: [...KEEPS_PLACE] } } },
  ];
}

/** The arguments of `schema.index` for ledgers whose pools have shares: by them, `repair` finds what a share counts. */
export function shareIndexes(poolField: string): [IndexDefinition, IndexOptions][] {
  return (['customerId', 'shares'] as const).map((counted) => [
    { [poolField]: 1, [counted]: 1 },
    { partialFilterExpression: { [counted]: { $exists: true } } },
  ]);
}

// The schema paths of pools, shares and ledgers. The service that owns the documents adds paths and indexes of its own.

const required = { required: true } as const;

const pendingClaim = new Schema<PendingClaim>(
  {
    id: { type: String, ...required },
    orderId: { type: String, ...required },
    customerId: String,
    shares: { type: [String], default: undefined },
    code: String,
    quantity: { type: Number, ...required },
    settledBy: { type: String, ...required },
    revision: Number,
  },
  { _id: false },
);
const state = new Schema({ status: String, quantity: Number }, { _id: false });
const transition = new Schema({ id: String, by: String, from: state, to: state }, { _id: false });
const step = new Schema({ by: String, claimed: Number, confirmed: Number }, { _id: false });

export const sharePaths = {
  _id: String,
  companyId: { type: String, ...required },
  claimed: { type: Number, ...required },
  pending: { type: [pendingClaim], ...required },
  definitionVersion: { type: Number, ...required },
  parentVersion: Number,
  recent: { type: [String], default: undefined },
  transitions: { type: [transition], default: undefined },
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
  shares: { type: [String], default: undefined },
  code: String,
  revision: Number,
  quantity: { type: Number, ...required },
  status: { type: String, ...required },
  created: { type: Date, ...required },
  settledBy: { type: String, ...required },
  steps: { type: [step], default: undefined },
};
