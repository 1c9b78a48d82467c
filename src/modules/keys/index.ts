export { createCallers, findCaller } from './callers.js'
export { createKey } from './manage.js'
export { registerKeyRoutes } from './routes.js'
