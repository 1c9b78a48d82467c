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
  countOpenLines,
  deleteFile,
  eraseBatches,
  findBatch,
  leaseBatch,
  listBatches,
  markCancelled,
  type OpenLine,
  readOpenLines,
  returnBatch,
  storeBatch,
  updateLeased,
} from './store.js'
