import type { JsonObject } from '@tallystick/record/json'
import type { Counts } from '@tallystick/record/pricing'
import type { Principal } from '../../http/index.js'
import type { Selection } from '../../policies/index.js'
import type { CaptureSettings } from '../../resources/content/index.js'
import type {
  CallLabels,
  CallProgress,
  DecidedAttempt,
  EndedAttempt,
  LimitClaims,
  PlannedCall,
} from '../core/index.js'
import type { ToolAnswer } from './answer.js'
import type { CallerChannel, ToolEnd, ToolRequest } from './contract.js'
import type { ToolRuling } from './policies/judge-arguments.js'

/** An incoming request to an MCP server, with the caller that waits for the result. */
export interface IncomingToolCall {
  /** The id of the call that this attempt continues. Null for a new call. */
  id: string | null
  tool: ToolRequest
  /** The params to send: those of the request, plus the caller's answers to questions of the server. */
  paramsJson: string
  principal: Principal
  caller: CallerChannel
  progress: CallProgress
}

/** A parsed request to an MCP server. */
export interface ToolCall extends CallLabels {
  id: string
  request: ToolRequest
  principal: Principal
  /** The params for the server, before policies change them. */
  paramsJson: string
  params: JsonObject
}

/** How the content of a call is captured. */
export interface ToolContent extends CaptureSettings {
  receivedAt: Date
}

/** The decisions that are made once for a tool call. */
export interface ToolPlan {
  /** Hash of the policy set in force. */
  policies: string
  selection: Selection
  packs: readonly string[]
}

/** The types of tool calls. */
export interface ToolTypes {
  request: IncomingToolCall
  call: ToolCall
  content: ToolContent
  plan: ToolPlan
  attempt: ToolAttempt
  reservation: LimitClaims
  grant: null
  judged: ToolRuling
  answer: ToolAnswer
  usage: ToolUsage
  delivered: ToolEnd
}

export interface ToolAttempt extends PlannedCall<ToolTypes> {
  /** The number of the attempt, from 1. */
  number: number
}

export interface ToolUsage {
  counts: Counts
  costNanos: number
}

export type DecidedToolAttempt = DecidedAttempt<ToolTypes>
export type EndedToolAttempt = EndedAttempt<ToolTypes>
