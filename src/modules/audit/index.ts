export { type Actor, operatorOf, recordChange } from './record.js'
export { registerAuditRoutes } from './routes.js'
