export type { App } from './app.js'
export {
  type Authenticate,
  bearerToken,
  type Caller,
  callerOf,
  userSuspended,
} from './auth/authentication.js'
export { addUpMetrics, createMetrics, type Metrics, type MetricsPage, type MetricValues } from './metrics.js'
export { toMicros, toUsd, Usd } from './money.js'
export { Nullable } from './nullable.js'
export { allowNoBody } from './optional-body.js'
export { type Cursors, createCursors, Page, PageQuery, readPage } from './pagination.js'
export { renderError, toApiError } from './render-error.js'
export { createServer, registerManagement } from './server.js'
export { registerServiceRoutes } from './service-routes.js'
export { prepareStop } from './stop-server.js'
