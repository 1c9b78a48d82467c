export { registerBatches } from './routes/routes.js'
export { batchJobs } from './worker.js'
