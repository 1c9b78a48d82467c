import { asArray, asObject, asText, isObject, type JsonObject, readCount } from '@tallystick/record/json'
import type { Fault, HostedTool, HostedTools } from '../endpoint-request.js'
import { messagesShape } from './shape.js'

// Tools whose uses a request can limit.
const toolsWithLimit = /^(web_search|web_fetch)(_|$)/

/** The vendor runs at most this many rounds before it returns control to the caller. */
const maxRounds = 10
const fixedUses = { maxUses: maxRounds, isFixed: true }

/**
 * Returns the vendor's tools that a request allows. A tool that is not known to run on the caller's side counts as
 * one of them.
 */
export function hostedToolsOf(body: JsonObject): HostedTools {
  const tools = asArray(body.tools).map(asObject).filter(isHosted).map(toHostedTool)
  if (asArray(body.mcp_servers).length > 0) tools.push({ fee: 'mcp', perCall: false, ...fixedUses })
  return { tools, maxUses: null }
}

const isHosted = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && type !== 'custom' && !messagesShape.description.callerTools?.test(type)

function toHostedTool(tool: JsonObject): HostedTool {
  const type = asText(tool.type)
  // `web_search_20250305` is a dated version of `web_search`.
  const fee = type.replace(/_tool\b.*|_\d{8}$/, '').slice(0, 64)
  if (!toolsWithLimit.test(type)) return { fee, perCall: fee === 'code_execution', ...fixedUses }
  const maxUses = readCount(tool.max_uses)
  return maxUses === null ? { fee, perCall: false } : { fee, perCall: false, maxUses }
}

/** Finds a tool that calls another model. Its price would be missing, because a receipt states a single price. */
export function findToolWithOwnModel(body: JsonObject): Fault | null {
  const at = asArray(body.tools).findIndex((tool) => /^advisor(_|$)/.test(asText(asObject(tool).type)))
  if (at < 0) return null
  return { path: `tools.${at}`, message: 'is not supported: it calls another model, which has its own price' }
}

// Names under which an answer lists uses of the vendor's code execution.
const codeExecutionTools = new Set(['code_execution', 'bash_code_execution', 'text_editor_code_execution'])

/**
 * True when an answer used a container. The reported usage does not include its fee, but the answer names the
 * container or contains the results of code.
 */
export const usedContainer = (answer: JsonObject): boolean =>
  isObject(answer.container) || asArray(answer.content).map(asObject).some(ranCode)

export const ranCode = (block: JsonObject): boolean =>
  block.type === 'server_tool_use' && codeExecutionTools.has(asText(block.name))

/** Sets the limit on each tool that supports one, unless the tool's own limit is lower. */
export function limitToolUses(body: JsonObject, uses: number): Record<string, string> | null {
  const tools = asArray(body.tools).map(asObject)
  if (!tools.some(({ type }) => toolsWithLimit.test(asText(type)))) return null
  const limited = tools.map((tool) =>
    toolsWithLimit.test(asText(tool.type))
      ? { ...tool, max_uses: Math.min(uses, readCount(tool.max_uses) ?? uses) }
      : tool,
  )
  return { tools: JSON.stringify(limited) }
}
