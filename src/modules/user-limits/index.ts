export { registerUserLimitRoutes } from './routes.js'
