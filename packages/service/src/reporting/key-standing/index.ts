export { type KeyStandingParts, registerKeyStandingRoutes } from './routes.js'
