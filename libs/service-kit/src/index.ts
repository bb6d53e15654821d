export { type Columns, createExports, csvWith, type ExportAll, formatsOf } from './http/exports.ts';
export { type CsvCell, csvRow } from './http/csv.ts';
export { changeDocuments, type DocumentChange } from './mongo/change-documents.ts';
export { readDocuments } from './mongo/read-documents.ts';
export { type Asking, ATTEMPTS_KEPT, pushAttempts, wasChangedBy } from './mongo/change-once.ts';
export { withOwnNames, withStoredNames } from './mongo/own-names.ts';
export { collectionOf, decodeDocument, storedBytes, UNREAD } from './mongo/collection.ts';
export { batched, LATER } from './concurrency/batched.ts';
export { changesInTurn } from './concurrency/changes-in-turn.ts';
export { fairTurns, type FairTurns } from './concurrency/fair-turns.ts';
export { inTime } from './concurrency/in-time.ts';
export { keyedMutex } from './concurrency/keyed-mutex.ts';
export { IDLE_MS, type Loop, SOON_MS, startLoop } from './concurrency/loop.ts';
export { retryOnConflict, versionConflict } from './concurrency/retry-on-conflict.ts';
export { runApart } from './concurrency/run-apart.ts';
export { until } from './concurrency/until.ts';
export {
  brokerOf,
  NATS_SETTINGS,
  port,
  processKeys,
  processSettings,
  readConfig,
  secretKey,
  serviceSettings,
  wholeNumber,
} from './process/config.ts';
export { isOutage, toPlatformError } from './http/errors.ts';
export { acceptJsonOnly, type Caller, createServiceApp, type Writer } from './http/http-app.ts';
export { checkReadiness, type ReadinessChecks } from './http/readiness.ts';
export {
  createIdentitySigner,
  createIdentityVerifier,
  createProcessSigner,
  generateIdentityKeys,
  type SignIdentity,
} from './http/identity.ts';
export { firstIdAt, idFrom, newId } from './mongo/ids.ts';
export { BODY_BYTES_MAX, parseJson } from './http/json.ts';
export { atMost, DB_TIMEOUT_MS, DOCUMENT_BYTES_MAX, RESPOND_WITHIN_MS } from './process/limits.ts';
export { announceRecord, invalidatedCache, notifyOfRecord, recordMemory } from './mongo/invalidated-cache.ts';
export { createLineLimit } from './process/line-limit.ts';
export { type CollectionIndexes, indexesOf, type IndexesOn } from './mongo/indexes.ts';
export { atVersion, type IfMatch, refuseOtherVersion, refuseUnusedIfMatch } from './http/if-match.ts';
export { makeOnce } from './mongo/make-once.ts';
export { createLogger, type Logger } from './process/logger.ts';
export { VERSION } from './process/version.ts';
export {
  connectMongo,
  failedWrites,
  insertEach,
  isDuplicateKey,
  isOvertaken,
  isWriteConflict,
  LATEST,
  notShownYet,
  pingMongo,
  retryLost,
  updateOrInsert,
} from './mongo/mongo.ts';
export { inPages } from './mongo/in-pages.ts';
export { oneForEachKey } from './concurrency/one-for-each-key.ts';
export { type Answer, observeRequests } from './http/observe-requests.ts';
export {
  askCommerce,
  type CallAsProcess,
  createCallAsProcess,
  settleOrder,
  waitingOrders,
} from './process/call-as-process.ts';
export { eventTimeZones, type TimeZonesOf } from './process/event-time-zones.ts';
export { connectProcess } from './process/connect-process.ts';
export { runProcess } from './process/run-process.ts';
export type { RpcHandlers } from './process/serve-rpc.ts';
export {
  declareService,
  type RunningService,
  runService,
  type ServiceDeclaration,
  type ServiceSettings,
  startService,
} from './process/start-service.ts';
export { type IdRange, newestFirst, type PageRequest } from './mongo/newest-first.ts';
export { afterCursor, fillPage, findPage, PAGE_BYTES_MAX, pageAfter, pageRange, toPage } from './http/page.ts';
export { countOf } from './quotas/amounts.ts';
export { createQuotas, noQuotas, type Quotas } from './quotas/quotas.ts';
export { changedMembers } from './http/changed-members.ts';
export { refuseReadOnly } from './http/refuse-read-only.ts';
export { shownPath } from './http/shown-path.ts';
export { RequestLog } from './http/request-log.ts';
export type { Handlers } from './http/serve-operations.ts';
export { inTransaction } from './mongo/transaction.ts';
export { validate, validateRequest } from './http/validate.ts';
export { overdueSweep } from './sweeps/overdue-sweep.ts';
export { sweepPage, type SweepPage, type SweepPosition } from './sweeps/sweep-page.ts';
export { beginningsOf, beginsWith } from './mongo/begins-with.ts';
export { erasePage } from './jobs/erase-page.ts';
export { type JobDocument, jobIndexes, jobPaths, jobsOn, type JobState, type JobStep } from './jobs/jobs.ts';
export { type LeaseDocument, leaseOn, RENEW_EVERY_MS } from './jobs/lease.ts';
