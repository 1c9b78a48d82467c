export { registerAttentionRoutes } from './routes.js'
