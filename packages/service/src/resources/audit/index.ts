export { type Actor, identifyActor, operatorOf, recordChange, recordChanges } from './record.js'
export { erasedText, redactAudit } from './redact.js'
export { startAuditRetention } from './retention.js'
export { registerAuditRoutes } from './routes.js'
