export { registerProofRoutes } from './proof-routes.js'
export { registerComplianceRoutes } from './routes.js'
