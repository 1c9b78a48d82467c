export { type Actor, identifyActor, operatorOf, recordChange, recordChanges } from './record.js'
export { registerAuditRoutes } from './routes.js'
