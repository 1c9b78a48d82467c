export { registerComplianceRoutes } from './routes.js'
