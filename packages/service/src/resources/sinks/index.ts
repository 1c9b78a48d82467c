export { readOverdueSinks } from './overdue.js'
export { registerSinkRoutes } from './routes.js'
export { listUndecryptableSinks } from './secrets.js'
export { sinkJobs } from './work/sink-jobs.js'
