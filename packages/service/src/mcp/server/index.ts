export type { Mcp } from './contract.js'
export { registerMcp } from './routes.js'
export { createToolGateway } from './tool-gateway.js'
