export { registerStandingRoutes, type StandingParts } from './routes.js'
