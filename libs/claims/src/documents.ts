import type { Tenant } from '@event-commerce/contracts';
import type { WithOutbox } from '@event-commerce/outbox';
import type { Collection, IndexDefinition, IndexOptions, mongo } from 'mongoose';
import { type Claim, KEEPS_PLACE, type LedgerStatus, type Move, type PendingClaim } from './claim.ts';
import { byClaim, byOrder, type DefinitionVersion, type Identity, type Pool } from './plan.ts';

/** The note of a move of the claim `id`: the counters include the move once the note is gone. */
export interface MoveNote extends Move {
  id: string;
}

/**
 * A pool, or one customer's share of it, under the ids of both: one small document, so that one conditional update
 * decides whether claims fit.
 */
export interface PoolDocument extends WithOutbox {
  companyId: Tenant;
  /** Places that placed orders take. Only in a pool: confirming an order changes no share. */
  confirmed?: number;
  /** Places that pending, held and confirmed claims take: compared with the limit. */
  claimed: number;
  pending: PendingClaim[];
  /**
   * The version of the definition that a claim must know to be admitted. Of a share: the newest version of its pool's
   * definition that a claim in it knew.
   */
  definitionVersion: number;
  /** The same of the part of the definition that is inherited. */
  parentVersion?: number;
  /** The limit of that definition, for those who look at the pool without it; null if there is none. */
  limit?: number | null;
  /** Marks of the claims that kept their place last, so that a late copy of an order is not counted again. */
  recent?: string[];
  moving?: MoveNote[];
  /** Counts every change. */
  version: number;
}

/** Whether a pool has no place left, by the limit that it knows. */
export function isFull({ claimed, limit }: Pick<PoolDocument, 'claimed' | 'limit'>): boolean {
  return typeof limit === 'number' && claimed >= limit;
}

/** What became of a claim, written under the claim's id, with the pool's id in a field that the owner names. */
export interface LedgerEntry {
  _id: string;
  companyId: Tenant;
  orderId: string;
  customerId?: string;
  code?: string;
  quantity: number;
  status: LedgerStatus;
  created: Date;
  settledBy: 'commerce' | 'ledger';
  /** Who moved it there: see `Move`. One that was never held has no `confirmedBy`. */
  confirmedBy?: string;
  releasedBy?: string;
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
/** The filter of the sweep for claims that are being moved, served by a partial index of its own. */
export const HAS_MOVING = { 'moving.0': { $exists: true } } as const;

/** The arguments of `schema.index` for pools and shares. */
export const pendingIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1, _id: 1 },
  { name: 'pending', partialFilterExpression: { ...HAS_PENDING } },
];
/** The arguments of `schema.index` for pools. */
export const movingIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1, _id: 1 },
  { name: 'moving', partialFilterExpression: { ...HAS_MOVING } },
];

/** The filter of the sweep for claims of orders that wait, served by a partial index of its own. */
export const IS_HELD = { status: 'held' } as const;
/** The arguments of `schema.index` for ledgers. */
export const heldIndex: [IndexDefinition, IndexOptions] = [
  { companyId: 1, _id: 1 },
  { name: 'held', partialFilterExpression: { ...IS_HELD } },
];

/**
 * The arguments of `schema.index` for a ledger that calls its pools `poolField`: an order keeps one claim in a pool.
 */
export function keptIndex(poolField: string): [IndexDefinition, IndexOptions] {
  return [
    { [poolField]: 1, orderId: 1 },
    { unique: true, partialFilterExpression: { status: { $in: [...KEEPS_PLACE] } } },
  ];
}

/** Older than every definition: a new share admits a claim under any. */
export const NO_DEFINITION = 0;

/** A pool as it was read. */
export interface FoundPool extends Pool<PendingClaim> {
  version: number;
}

/** How the claims of a collection are identified. */
export interface PoolKind extends Identity {
  /** More than are kept while a copy of an order is in flight. */
  recentKept: number;
  /** Matches if the pool has none of `claims`. */
  noneHeld: (claims: readonly Claim[]) => Record<string, unknown>;
  /** Whether placed orders are counted apart. */
  countsConfirmed: boolean;
  /** Matches if claims under that definition may be admitted. */
  isAtFilter: (known: DefinitionVersion) => mongo.Filter<PoolDocument>;
  /** Whether the pool learns of a new definition from the claims that it admits. */
  learnsByAdmitting: boolean;
}

export const POOL: PoolKind = {
  ...byOrder,
  recentKept: 100,
  countsConfirmed: true,
  isAtFilter: ({ version, parentVersion }) => ({
    definitionVersion: version,
    ...(parentVersion === undefined ? {} : { parentVersion }),
  }),
  learnsByAdmitting: false,
  noneHeld: (claims) => ({
    'pending.orderId': { $nin: claims.map(({ orderId }) => orderId) },
    recent: { $nin: claims.map(byOrder.markOf) },
  }),
};

export const SHARE: PoolKind = {
  ...byClaim,
  recentKept: 50,
  countsConfirmed: false,
  isAtFilter: ({ version, parentVersion }) => ({
    definitionVersion: { $lte: version },
    ...(parentVersion === undefined ? {} : { parentVersion: { $not: { $gt: parentVersion } } }),
  }),
  learnsByAdmitting: true,
  noneHeld(claims) {
    const ids = claims.map(({ id }) => id);
    return { 'pending.id': { $nin: ids }, recent: { $nin: ids } };
  },
};

/** Matches a pool that is at an older definition: neither part is later, and one is earlier. */
export function isBefore({ version, parentVersion }: DefinitionVersion): mongo.Filter<PoolDocument> {
  if (parentVersion === undefined) return { definitionVersion: { $lt: version } };
  return {
    $or: [
      { definitionVersion: { $lt: version }, parentVersion: { $lte: parentVersion } },
      { definitionVersion: { $lte: version }, parentVersion: { $lt: parentVersion } },
    ],
  };
}

export function toPool({
  definitionVersion,
  parentVersion,
  claimed,
  pending,
  recent = [],
  version,
}: PoolDocument): FoundPool {
  return { definitionVersion, parentVersion, claimed, pending, recent, version };
}
