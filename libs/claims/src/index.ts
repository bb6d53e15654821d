export {
  become,
  type Claim,
  KEEPS_PLACE,
  keepsPlace,
  type LedgerStatus,
  type PendingClaim,
  TRANSITIONS,
} from './claim.ts';
export { claimCounter } from './claim-metrics.ts';
export { createPools, type Pools } from './create-pools.ts';
export { type CustomerKeys, customerKeysWith } from './customer-keys.ts';
export {
  heldIndex,
  isFull,
  keptIndex,
  type LedgerEntry,
  ledgerPaths,
  pendingIndex,
  type PoolCollections,
  type PoolDocument,
  poolPaths,
  shareIndexes,
  sharePaths,
  transitionsIndex,
} from './documents.ts';
export { eraseFromPools } from './erase-from-pools.ts';
export type { PoolDefinition } from './follow-definition.ts';
export { HeldClaims, replyWithClaims } from './held-claims.ts';
export type { HoldRequest } from './hold.ts';
export { type ClaimingOrder, holdAll, oneByOne } from './hold-all.ts';
export { partsOf } from './in-parts.ts';
export { createOrderClaims, type OrderClaims, type OrderClaimsDeps } from './order-claims.ts';
export { PENDING_MAX } from './plan.ts';
export { compareCounters } from './repair.ts';
export { repairCommand } from './repair-command.ts';
