export { collectOperations } from './operations.js'
export { registerManagementMcp } from './routes.js'
