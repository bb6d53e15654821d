export { claimKey } from './claim-key.ts';
export { collectionOf, type StoredDocument } from './collection.ts';
export { ConfigError, port, processKeys, processSettings, readConfig, serviceSettings } from './config.ts';
export { connectDatabase } from './database.ts';
export {
  acceptJsonOnly,
  addHealthRoutes,
  type Caller,
  callerOf,
  checkReadiness,
  createServiceApp,
  isOutage,
  type ReadinessChecks,
  type ServiceApp,
  toPlatformError,
  type UsageOfQuotas,
} from './http-app.ts';
export {
  callerOn,
  createIdentitySigner,
  createIdentityVerifier,
  createProcessSigner,
  createProcessVerifier,
  generateIdentityKeys,
  type SignIdentity,
  type SignProcess,
  type VerifiedIdentity,
  type VerifyIdentity,
  type VerifyProcess,
} from './identity.ts';
export { type IdPrefix, newId } from './ids.ts';
export { inBatches } from './in-batches.ts';
export { createEventBytes, type EventBytes } from './event-bytes.ts';
export { fairTurns, type FairTurns } from './fair-turns.ts';
export { inTime } from './in-time.ts';
export { inTurn } from './in-turn.ts';
export { BODY_BYTES_MAX, JSON_DEPTH_MAX, parseJson } from './json.ts';
export { createLineLimit } from './line-limit.ts';
export { type CollectionIndexes, indexesOf, type IndexesOn, migrateIndexes } from './indexes.ts';
export { startLoop } from './loop.ts';
export { makeOnce } from './make-once.ts';
export { createLogger, type Logger } from './logger.ts';
export {
  connectMongo,
  DB_TIMEOUT_MS,
  failedWrites,
  insertEach,
  isDuplicateKey,
  isOvertaken,
  isWriteConflict,
  notShownYet,
  pingMongo,
  retryLost,
  updateOrInsert,
} from './mongo.ts';
export { type Answer, observeRequests, type RequestObserver } from './observe-requests.ts';
export { afterCursor, findPage, type Found, PAGE_BYTES_MAX, toPage } from './page.ts';
export { amountOf, createQuotas, noQuotas, type Quotas, storedBytes } from './quotas.ts';
export { RequestLog } from './request-log.ts';
export { type Asked, type Handlers, serveOperations } from './serve-operations.ts';
export { runApart } from './run-apart.ts';
export { runProcess } from './run-process.ts';
export { inTransaction } from './transaction.ts';
export { validate, validateRequest, validationError } from './validate.ts';
