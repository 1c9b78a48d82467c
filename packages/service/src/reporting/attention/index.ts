export type { ReportedCredential } from './read.js'
export { registerAttentionRoutes } from './routes.js'
