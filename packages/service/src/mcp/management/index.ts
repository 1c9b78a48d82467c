export { collectOperations } from './operations.js'
export { registerHosted } from './routes.js'
