export type { KnownCredential } from './read.js'
export { registerAttentionRoutes } from './routes.js'
