export { createLiveSessions } from './live-sessions.js'
export { startPruningSessions } from './prune.js'
export { registerSessionRoutes } from './routes.js'
