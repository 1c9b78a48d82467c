export { createRoute } from './manage.js'
export type { ReadTargetHealth } from './present.js'
export { createRoutes, type RouteRecord, type Routes } from './reader.js'
export { registerRouteRoutes } from './routes.js'
