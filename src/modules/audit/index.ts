export { type Actor, identifyActor, operatorOf, recordChange } from './record.js'
export { registerAuditRoutes } from './routes.js'
