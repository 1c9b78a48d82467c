export { type LoggedAlert, readAlertsAfter, readLastAlert, recordAlerts } from './alerts/alert-log.js'
export { describeWebhooks } from './alerts/payloads.js'
export { startPeriodicChecks } from './alerts/periodic-checks.js'
export { projectWebhooks } from './alerts/projection.js'
export {
  listReportedCredentials,
  recordFailingCredential,
} from './alerts/provider-alerts.js'
export { eraseRequestAlerts, recordBudgetRequest } from './alerts/request-alerts.js'
export { recordToolChanges } from './alerts/tool-alerts.js'
export { readViolations } from './alerts/violation-alerts.js'
export { type Backlog, readBacklog } from './delivery/backlog.js'
export { startDeliveryWorker } from './delivery/worker.js'
export { registerDeliveryRoutes } from './delivery-routes.js'
export { type FailingEndpoint, listFailingEndpoints } from './endpoints/failing-endpoints.js'
export { createEndpoint } from './endpoints/manage.js'
export { listUndecryptableEndpoints } from './endpoints/secret.js'
export { createSubscriptions } from './endpoints/subscriptions.js'
export { registerWebhookRoutes } from './routes.js'
