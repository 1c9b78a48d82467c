export type {
  AdmissionRequest,
  AdmissionStore,
  Admitted,
  Decision,
  Hold,
  LimitStatus,
  ReceiptSpend,
  RefusedBySpend,
  RefusedByWindow,
  SpendRequest,
  WindowClaim,
} from './contract.js'
export { LimitsFault } from './fault.js'
export { createMemoryAdmission } from './memory/admission.js'
export { createRedisAdmission } from './redis/admission.js'
export { connectToRedis } from './redis/connection.js'
export { openRedisMarks } from './redis/record-marks.js'
export type { UsageLoader } from './usage-loader.js'
export { createWorkerAdmission } from './workers/client.js'
export { serveAdmission } from './workers/server.js'
