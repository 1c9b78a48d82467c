import { asArray, asObject, asText, isObject, type JsonObject, readCount } from '@tallystick/record/json'
import type { Fault, HostedTool, HostedTools } from '../endpoint.js'
import { messagesShape } from './shape.js'

// Tools whose uses a request can limit.
const boundedTools = /^(web_search|web_fetch)(_|$)/

/** The vendor runs at most this many rounds before it returns control to the caller. */
const maxRounds = 10
const unbounded = { maxUses: maxRounds, isFixed: true }

/**
 * Returns the vendor's tools that a request allows. A tool that is not known to run on the caller's side counts as
 * one of them.
 */
export function hostedToolsOf(body: JsonObject): HostedTools {
  const tools = asArray(body.tools).map(asObject).filter(isHosted).map(toHostedTool)
  if (asArray(body.mcp_servers).length > 0) tools.push({ fee: 'mcp', perCall: false, ...unbounded })
  return { tools, maxUses: null }
}

const isHosted = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && type !== 'custom' && !messagesShape.description.toolsOfCaller?.test(type)

function toHostedTool(tool: JsonObject): HostedTool {
  const type = asText(tool.type)
  // `web_search_20250305` is a dated version of `web_search`.
  const fee = type.replace(/_tool\b.*|_\d{8}$/, '').slice(0, 64)
  if (!boundedTools.test(type)) return { fee, perCall: fee === 'code_execution', ...unbounded }
  const maxUses = readCount(tool.max_uses)
  return maxUses === null ? { fee, perCall: false } : { fee, perCall: false, maxUses }
}

/** A tool that calls another model with its own price, whereas a receipt states one price. */
export function findForeignTool(body: JsonObject): Fault | null {
  const at = asArray(body.tools).findIndex((tool) => /^advisor(_|$)/.test(asText(asObject(tool).type)))
  if (at < 0) return null
  return { path: `tools.${at}`, message: 'is not offered: it asks another model, at a price of its own' }
}

// The names of the vendor's code execution in an answer.
const executions = new Set(['code_execution', 'bash_code_execution', 'text_editor_code_execution'])

/**
 * True when an answer used a container. The reported usage does not include its fee, but the answer names the
 * container or contains the results of code.
 */
export const usedContainer = (answer: JsonObject): boolean =>
  isObject(answer.container) || asArray(answer.content).map(asObject).some(ranCode)

export const ranCode = (block: JsonObject): boolean =>
  block.type === 'server_tool_use' && executions.has(asText(block.name))

/** Sets the limit on each tool that supports one, unless the tool's own limit is lower. */
export function limitToolUses(body: JsonObject, uses: number): Record<string, string> | null {
  const tools = asArray(body.tools).map(asObject)
  if (!tools.some(({ type }) => boundedTools.test(asText(type)))) return null
  const limited = tools.map((tool) =>
    boundedTools.test(asText(tool.type))
      ? { ...tool, max_uses: Math.min(uses, readCount(tool.max_uses) ?? uses) }
      : tool,
  )
  return { tools: JSON.stringify(limited) }
}
