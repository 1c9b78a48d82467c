export { type LoggedAlert, readAlertsAfter, readLastAlert, recordAlerts } from './alert-log.js'
export { type Backlog, readBacklog } from './backlog.js'
export { registerDeliveryRoutes } from './delivery-routes.js'
export { type FailingEndpoint, listFailingEndpoints } from './failing-endpoints.js'
export { createEndpoint } from './manage.js'
export { describeWebhooks } from './payloads.js'
export { startPeriodicChecks } from './periodic-checks.js'
export { projectWebhooks } from './projection.js'
export {
  listToldCredentials,
  recordFailingCredential,
} from './provider-alerts.js'
export { eraseRequestAlerts, recordRequestFiled } from './request-alerts.js'
export { registerWebhookRoutes } from './routes.js'
export { listUndecryptableEndpoints, sealPlainSecrets } from './seal-secrets.js'
export { createSubscriptions } from './subscriptions.js'
export { recordToolChanges } from './tool-alerts.js'
export { readViolations } from './violation-alerts.js'
export { startDeliveryWorker } from './worker.js'
