export {
  become,
  type Claim,
  type ClaimStatus,
  keepsPlace,
  type LedgerStatus,
  type PendingClaim,
  TRANSITIONS,
} from './claim.ts';
export { createPools, type HoldOutcome, type HoldRequest, type PoolDefinition, type Pools } from './create-pools.ts';
export {
  isFull,
  type LedgerEntry,
  pendingIndex,
  type PoolCollections,
  type PoolDocument,
  movingIndex,
} from './documents.ts';
export { PENDING_MAX } from './plan.ts';
export { compareCounters, type Difference } from './repair.ts';
