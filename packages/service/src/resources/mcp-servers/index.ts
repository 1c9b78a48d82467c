export { type ConfiguredMcpServer, configuredId, type ReadConfigured } from './configured.js'
export type { ToolAccess } from './directory.js'
export { createServer } from './manage.js'
export { type McpServerRoutesOptions, registerMcpServerRoutes } from './routes.js'
export { createMcpServers } from './servers.js'
export type {
  McpListing,
  McpTransport,
  PinnedTool,
  ToolServer,
} from './tool-server.js'
export { approveTools, blockTool } from './tools/decide.js'
export { keepListing, noteFailure } from './tools/keep-listing.js'
export { registerMcpToolRoutes } from './tools/routes.js'
export { listWaitingTools } from './tools/waiting-tools.js'
export { listUndecryptableServers } from './undecryptable.js'
