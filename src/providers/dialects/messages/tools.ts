import { asArray, asObject, asText, isObject, type JsonObject, readCount } from '../../../json/index.js'
import type { Fault, HostedTool, HostedTools } from '../dialect.js'

// Defined by the vendor and run by the caller.
const ownTools = /^(custom|(bash|text_editor|computer|memory)(_\d+)?)$/
// Those that a request can bound.
const boundedTools = /^(web_search|web_fetch)(_|$)/

/** The vendor goes round this often at most before it hands the turn back to the caller. */
const maxRounds = 10
const unbounded = { maxUses: maxRounds, isFixed: true }

/** Tools of the vendor that a request allows. What is not known to be run by the caller is taken for one of them. */
export function hostedToolsOf(body: JsonObject): HostedTools {
  const tools = asArray(body.tools).map(asObject).filter(isHosted).map(toHostedTool)
  if (asArray(body.mcp_servers).length > 0) tools.push({ fee: 'mcp', perCall: false, ...unbounded })
  return { tools, maxUses: null }
}

const isHosted = ({ type }: JsonObject): boolean => typeof type === 'string' && !ownTools.test(type)

function toHostedTool(tool: JsonObject): HostedTool {
  const type = asText(tool.type)
  // `web_search_20250305` is `web_search`, of a day.
  const fee = type.replace(/_tool\b.*|_\d{8}$/, '').slice(0, 64)
  if (!boundedTools.test(type)) return { fee, perCall: fee === 'code_execution', ...unbounded }
  const maxUses = readCount(tool.max_uses)
  return maxUses === null ? { fee, perCall: false } : { fee, perCall: false, maxUses }
}

/** A tool that asks another model, which has a price of its own: a receipt states one price. */
export function findForeignTool(body: JsonObject): Fault | null {
  const at = asArray(body.tools).findIndex((tool) => /^advisor(_|$)/.test(asText(asObject(tool).type)))
  if (at < 0) return null
  return { path: `tools.${at}`, message: 'is not offered: it asks another model, at a price of its own' }
}

// How the vendor names its code execution in an answer.
const executions = new Set(['code_execution', 'bash_code_execution', 'text_editor_code_execution'])

/**
 * The fee for a container is not in the usage that the vendor reports. That there was one is seen in the answer: it is named, or
 * code ran in it.
 */
export const usedContainer = (answer: JsonObject): boolean =>
  isObject(answer.container) || asArray(answer.content).map(asObject).some(ranCode)

export const ranCode = (block: JsonObject): boolean =>
  block.type === 'server_tool_use' && executions.has(asText(block.name))

/** Each tool that can be bounded gets the bound, unless its own is lower. */
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
