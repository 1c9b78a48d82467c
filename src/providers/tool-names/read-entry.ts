import { isObject, type JsonObject } from '../../json/index.js'
import type { ToolNameList } from './tool-names.js'

/** Types of which there are many tools: those go by their names. */
const plainTypes =
  /^(function|custom|custom_tool|tool|namespace|url|tool_reference|(server_)?tool_use|mcp(_toolset|_tool_use|_approval_request|_list_tools)?)$/
/** Words that choose among tools and name none. */
const modes = /^(auto|any|none|required|validated|allowed_tools)$/
/** A tool of the vendor's is called by something of its type: `web_search_call`. Its version is a day: `web_search_20250305`. */
const suffixes = /(_call|_tool_use|_\d{4}_?\d{2}_?\d{2})$/

/** Members in which the author, or the model, has words of their own: names in there are not those of tools. */
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
 * Takes every name that a tool goes by, from its definition, a choice of it or a call: names wherever they stand, its type where
 * the vendor knows the tool by that, and the servers it is on. A tool without any cannot be judged.
 */
export function readTool(tool: unknown, found: ToolNameList): void {
  if (typeof tool === 'string') {
    if (tool === '') found.fail()
    else if (!modes.test(tool.toLowerCase())) found.add(tool)
  } else if (!isObject(tool) || !readMembers(tool, found, { depth: 0, isServer: isServerType(tool.type) }))
    found.fail()
}

/** The same for one that a request defines: there, a word that chooses among tools is a name like any other. */
export function readDefinition(tool: unknown, found: ToolNameList): void {
  const type = isObject(tool) ? tool.type : tool
  if (typeof type === 'string' && modes.test(type.toLowerCase())) found.add(type)
  readTool(tool, found)
}

/** The same for a server of tools. */
export function readServer(server: unknown, found: ToolNameList): void {
  if (!isObject(server) || !readMembers(server, found, { depth: 0, isServer: true })) found.fail()
}

/** Names in a piece of a call, which may have none. Its type aside: it comes whole. */
export function readNamePieces(call: JsonObject, found: ToolNameList): void {
  readMembers(call, found, { depth: 1, isServer: false })
}

interface Position {
  depth: number
  /** Its names are those of a server. */
  isServer: boolean
}

/** Whether there was a name. */
function readMembers(holder: JsonObject, found: ToolNameList, at: Position): boolean {
  if (at.depth > maxDepth) found.fail()
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
  if (typeof value !== 'string') found.fail()
  else if (isServer) {
    found.add(`mcp:${value}`)
    found.addAlias(value)
    found.addAlias('mcp')
  } else found.add(value)
  return true
}

export function readType(value: unknown, found: ToolNameList): boolean {
  if (typeof value !== 'string') {
    found.fail()
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

/** A label is what the caller chose. The host is where it leads. */
function readUrl(value: unknown, found: ToolNameList): boolean {
  // With a dot at its end, a name leads to the same host.
  const host =
    typeof value === 'string' && URL.canParse(value) ? new URL(value).hostname.replace(/\.+$/, '') : ''
  if (host === '') found.fail()
  else found.add(`mcp:${host}`)
  found.addAlias('mcp')
  return true
}

function readList(value: unknown, found: ToolNameList, at: Position): boolean {
  // A choice among tools may be an object that has such a list.
  if (isObject(value)) return readMembers(value, found, at)
  if (!Array.isArray(value)) found.fail()
  else for (const item of value) if (found.countMember()) readTool(item, found)
  return true
}
