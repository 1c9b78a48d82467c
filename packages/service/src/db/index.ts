export type { BatchesTable, BatchStatus } from './batch-tables.js'
export { type Batcher, createBatcher } from './batcher.js'
export { type BulkReader, connectBulkReader } from './bulk-reader.js'
export type { CallRow } from './call-tables.js'
export { type Changes, listenForChanges } from './changes.js'
export {
  type Database,
  type DatabaseOptions,
  type Db,
  inSnapshot,
  inTransaction,
  type KeyRow,
  openDatabase,
  type Statement,
  type Tables,
  type Tx,
} from './database.js'
export { type EmbeddedPostgres, hasEmbeddedDatabase, startEmbeddedPostgres } from './embedded/index.js'
export { idAt, newId, timeOfId } from './ids.js'
export { locks } from './locks.js'
export { type Periodic, startPeriodic } from './periodic.js'
export { connectPipelined, type PipelinedConnection } from './pipeline.js'
export { isPooled, isSameDatabase } from './pooler.js'
export { createRowStatements } from './row-statements.js'
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
export { takeServingPlace } from './serving-place.js'
export {
  boundIdleTime,
  inBoundedSnapshot,
  inBoundedTransaction,
  runTransaction,
} from './short-transactions.js'
export { createTenantCache } from './tenant-cache.js'
export { hasText } from './text-search.js'
export { orNameTaken } from './unique-name.js'
