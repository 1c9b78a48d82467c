import { isObject, type JsonObject } from '@tallystick/record/json'
import type { ToolNameList } from './tool-names.js'

/** Types that many tools share: those tools are identified by their names. */
const plainTypes =
  /^(function|custom|custom_tool|tool|namespace|url|tool_reference|(server_)?tool_use|mcp(_toolset|_tool_use|_approval_request|_list_tools)?)$/
/** Words that select among tools and do not name one. */
const modes = /^(auto|any|none|required|validated|allowed_tools)$/
/**
 * A tool of the vendor is called by a variant of its type, such as `web_search_call`, or with a date as its
 * version: `web_search_20250305`.
 */
const suffixes = /(_call|_tool_use|_\d{4}_?\d{2}_?\d{2})$/

/** Members whose content comes from the author or the model: names in them are not names of tools. */
const contents =
  /^(parameters|(.*_)?schema|arguments|inputs?|outputs?|results?|(input_)?examples?|description|cache_control|metadata|headers|format|grammar|definition|filters|environment|container|user_location|action|operation|error|code|content|input_image_mask)$/i

const nameMember = /(name|label|namespace|connector_?id)$/i
const serverMember = /^(mcp_?)?server_?(label|name)$/i
const urlMember = /^(mcp_?|server_?)*ur[il]$/i
/** Lists of names, or of tools. */
const listMember = /(tools|tool_?names|functions|function_?declarations)$/i
const configsMember = /^(tool_?)?configs$/i
const maxDepth = 16

/**
 * Collects every name of a tool from its definition, a choice of it or a call: names at any path, its type if the
 * vendor identifies the tool by it, and the servers it is on. A tool without any name cannot be judged.
 */
export function readTool(tool: unknown, found: ToolNameList): void {
  if (typeof tool === 'string') {
    if (tool === '') found.markUnreadable()
    else if (!modes.test(tool.toLowerCase())) found.add(tool)
  } else if (!isObject(tool) || !readMembers(tool, found, { depth: 0, isServer: isServerType(tool.type) }))
    found.markUnreadable()
}

/** The same for a tool that a request defines: there, a word that selects among tools is an ordinary name. */
export function readDefinition(tool: unknown, found: ToolNameList): void {
  const type = isObject(tool) ? tool.type : tool
  if (typeof type === 'string' && modes.test(type.toLowerCase())) found.add(type)
  readTool(tool, found)
}

/** The same for a server of tools. */
export function readServer(server: unknown, found: ToolNameList): void {
  if (!isObject(server) || !readMembers(server, found, { depth: 0, isServer: true })) found.markUnreadable()
}

/**
 * Collects names in a piece of a call, which may contain none. Its type is left out, because it is sent as a whole.
 */
export function readNamePieces(call: JsonObject, found: ToolNameList): void {
  readMembers(call, found, { depth: 1, isServer: false })
}

interface Position {
  depth: number
  /** Its names are those of a server. */
  isServer: boolean
}

/** Returns whether there was a name. */
function readMembers(holder: JsonObject, found: ToolNameList, at: Position): boolean {
  if (at.depth > maxDepth) found.markUnreadable()
  let isNamed = at.depth > maxDepth
  if (isNamed) return true
  for (const member in holder) {
    if (!found.countMember()) return true
    const value = holder[member]
    if (value !== null && !contents.test(member)) isNamed = readMember(member, value, found, at) || isNamed
  }
  return isNamed
}

function readMember(member: string, value: unknown, found: ToolNameList, at: Position): boolean {
  const inside = { depth: at.depth + 1, isServer: false }
  if (/^type$/i.test(member)) return at.depth === 0 && readType(value, found)
  if (urlMember.test(member)) return readUrl(value, found)
  if (listMember.test(member)) return readList(value, found, inside)
  if (nameMember.test(member)) return readName(value, found, at.isServer || serverMember.test(member))
  if (configsMember.test(member) && isObject(value)) {
    for (const name of Object.keys(value)) found.add(name)
    return true
  }
  if (isObject(value)) return readMembers(value, found, inside)
  if (!Array.isArray(value)) return false
  return value.filter((item) => isObject(item) && readMembers(item, found, inside)).length > 0
}

const isServerType = (type: unknown): boolean =>
  typeof type === 'string' && /^(url|mcp(_toolset)?)$/i.test(type)

function readName(value: unknown, found: ToolNameList, isServer: boolean): boolean {
  if (value === '') return false
  if (typeof value !== 'string') found.markUnreadable()
  else if (isServer) {
    found.add(`mcp:${value}`)
    found.addAlias(value)
    found.addAlias('mcp')
  } else found.add(value)
  return true
}

export function readType(value: unknown, found: ToolNameList): boolean {
  if (typeof value !== 'string') {
    found.markUnreadable()
    return true
  }
  const type = value.toLowerCase()
  if (modes.test(type)) return true
  const kind = plainTypes.test(type) ? type : type.replace(suffixes, '')
  if (kind === '' || plainTypes.test(kind)) {
    if (kind.startsWith('mcp')) found.addAlias('mcp')
    return false
  }
  found.add(kind)
  found.addAlias(value)
  return true
}

/** The caller chooses the label; the host is what the URL leads to. */
function readUrl(value: unknown, found: ToolNameList): boolean {
  // A name with a trailing dot leads to the same host.
  const host =
    typeof value === 'string' && URL.canParse(value) ? new URL(value).hostname.replace(/\.+$/, '') : ''
  if (host === '') found.markUnreadable()
  else found.add(`mcp:${host}`)
  found.addAlias('mcp')
  return true
}

function readList(value: unknown, found: ToolNameList, at: Position): boolean {
  // A choice among tools may be an object with a list of them.
  if (isObject(value)) return readMembers(value, found, at)
  if (!Array.isArray(value)) found.markUnreadable()
  else for (const item of value) if (found.countMember()) readTool(item, found)
  return true
}
