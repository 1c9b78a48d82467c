export type { ToolCallParts } from './govern-tool.js'
export { createListingJudge } from './judge-listing.js'
export { mayCall, mayUseServer } from './may-call.js'
