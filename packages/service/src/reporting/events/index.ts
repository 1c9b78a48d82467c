export { createEvents } from './events.js'
export { registerEventRoutes } from './routes.js'
