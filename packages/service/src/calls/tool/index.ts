export type {
  CallerChannel,
  CallMethod,
  FinishedToolAttempt,
  RefusedTool,
  ToolEnd,
  ToolRequest,
} from './contract.js'
export { createToolCalls, type ToolCallParts } from './kind.js'
export { mayCall, mayUseServer } from './permission/may-call.js'
export { mayReadResource, mayUsePrompt } from './permission/may-read.js'
export { createListingJudge, type JudgeListing } from './policies/judge-listing.js'
export { unknownTool } from './rpc-error.js'
export type {
  ToolUpstream,
  UpstreamChannel,
  UpstreamEnd,
  UpstreamFailure,
  UpstreamOwner,
  UpstreamRequest,
} from './upstream.js'
