export { type Batcher, createBatcher } from './background/batcher.js'
export { type Periodic, type PeriodicUnlessIdle, startPeriodic } from './background/periodic.js'
export { type Changes, listenForChanges } from './changes/changes.js'
export { createTenantCache } from './changes/tenant-cache.js'
export { type BulkReader, connectBulkReader } from './connection/bulk-reader.js'
export {
  type Database,
  type DatabaseOptions,
  type Db,
  inSnapshot,
  inTransaction,
  openDatabase,
  type Statement,
  type Tx,
} from './connection/database.js'
export { isPooled, isSameDatabase } from './connection/pooler.js'
export { type Aged, ReadReplica, type ReplicaReads, withoutReplica } from './connection/read-replica.js'
export { faultInVersion, readServerVersion } from './connection/server-version.js'
export {
  boundIdleTime,
  inBoundedSnapshot,
  inBoundedTransaction,
  runTransaction,
} from './connection/transactions.js'
export { type EmbeddedPostgres, hasEmbeddedDatabase, startEmbeddedPostgres } from './embedded/index.js'
export { idAt, newId, timeOfId } from './ids.js'
export { locks } from './locks/locks.js'
export { acquireServingLock, type ServingLock, type ServingMode } from './locks/serving-lock.js'
export { bigintArray, byteaArray, smallintArray, textArray } from './pipeline/binary-array.js'
export { connectPipelined, type PipelinedConnection } from './pipeline/pipelined-connection.js'
export { createRowStatements } from './pipeline/row-statements.js'
export { hasText } from './queries/text-search.js'
export { orNameTaken } from './queries/unique-name.js'
export {
  describeLocks,
  migrate,
  prepareSchema,
  programSchema,
  readSchema,
  refuseNewerSchema,
  requireSchema,
  SchemaError,
} from './schema/index.js'
export type { BatchesTable, BatchStatus } from './tables/batch-tables.js'
export type { CallRow } from './tables/call-tables.js'
export type { SinkDestination } from './tables/sink-tables.js'
export type { Tables } from './tables/tables.js'
export type { KeyRow } from './tables/tenant-tables.js'
export {
  checkTarget,
  dumpDatabase,
  loadDatabase,
  type Manifest,
  type Part,
  type Parts,
  readManifest,
  withTransferSession,
} from './transfer/index.js'
