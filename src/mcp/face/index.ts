export type { Mcp } from './contract.js'
export { registerMcp } from './routes.js'
export { createFaceRules } from './rules.js'
