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
export { createPools, type HoldRequest, type PoolDefinition, type Pools } from './create-pools.ts';
export {
  heldIndex,
  isFull,
  keptIndex,
  type LedgerEntry,
  movingIndex,
  pendingIndex,
  type PoolCollections,
  type PoolDocument,
} from './documents.ts';
export { HeldClaims, replyWithClaims } from './held-claims.ts';
export { type ClaimingOrder, holdAll, oneByOne } from './hold-all.ts';
export { partsOf } from './in-parts.ts';
export { createOrderClaims, type OrderClaims, type OrderClaimsDeps } from './order-claims.ts';
export { PENDING_MAX } from './plan.ts';
export { compareCounters } from './repair.ts';
export { repairCommand } from './repair-command.ts';
export { ledgerPaths, poolPaths, sharePaths } from './schema-paths.ts';
