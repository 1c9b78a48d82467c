export type { ConfiguredMcpServer } from './configured.js'
export { approveTools, blockTool } from './decide.js'
export type { ToolAccess } from './directory.js'
export { keepListing, noteFailure } from './keep-listing.js'
export { createServer } from './manage.js'
export { type McpServerRoutesOptions, registerMcpServerRoutes } from './routes.js'
export { createMcpServers } from './servers.js'
export type {
  McpListing,
  McpReach,
  McpServerTerms,
  PinnedTool,
} from './terms.js'
export { registerMcpToolRoutes } from './tool-routes.js'
export { listUndecryptableServers } from './undecryptable.js'
export { listWaitingTools } from './waiting-tools.js'
