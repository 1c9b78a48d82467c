export {
  type BatchFiles,
  createBatchFiles,
  type FileRecord,
  insertFile,
  type Owner,
  type SealedFile,
} from './files.js'
export { startPruningBatches } from './prune.js'
export { type BatchNotes, type BatchSeals, createBatchSeals, type RefusedLine } from './seals.js'
export {
  type BatchRow,
  batchJob,
  countOpenLines,
  deleteFile,
  eraseBatches,
  findBatch,
  listBatches,
  markCancelled,
  type OpenLine,
  readOpenLines,
  storeBatch,
  takeBatch,
  updateLeased,
} from './store.js'
