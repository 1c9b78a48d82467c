export { registerManagedResourceRoutes } from './routes.js'
