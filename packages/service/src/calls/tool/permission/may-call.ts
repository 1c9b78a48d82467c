import { blocksTool, grantsTool, matchesName, type Selection } from '../../../policies/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import type { PinnedTool, ToolServer } from '../../../resources/mcp-servers/index.js'

/** Returns the name of a tool in allowlists, policies and receipts. */
export const fullName = (server: Pick<ToolServer, 'name'>, tool: string): string => `${server.name}__${tool}`

/** What the permission to call a tool depends on. */
export interface CallingRights {
  entitlements: Entitlements
  /** The policies that apply to the caller. */
  selection: Selection
}

/**
 * Returns the tool, or null when the caller may not call it. Every allowlist of the key, its user and its team must name the tool. Without
 * any allowlist, a policy must name it unless the server is open.
 */
export function findCallable(server: ToolServer, tool: string, rights: CallingRights): PinnedTool | null {
  const found = server.tools.find(({ name }) => name === tool)
  return found !== undefined && mayCall(server, found, rights) ? found : null
}

export function mayCall(server: ToolServer, tool: PinnedTool, rights: CallingRights): boolean {
  if (!server.enabled || tool.definition === null) return false
  const name = fullName(server, tool.name)
  return isNamed(server, name, rights) && !blocksTool(rights.selection, [name], [tool.name])
}

/**
 * True when the caller may use any tool of the server. Reading resources and prompts requires this, because they are not tools themselves.
 */
export const mayUseServer = (server: ToolServer, rights: CallingRights): boolean =>
  server.enabled &&
  (mayUseAll(server, fullName(server, ''), rights) ||
    server.tools.some((tool) => mayCall(server, tool, rights)))

/** True when allowlists and policies permit every name with this prefix. */
const mayUseAll = (server: ToolServer, prefix: string, rights: CallingRights): boolean =>
  isNamed(server, prefix, rights, isPrefixOf) && !blocksTool(rights.selection, [prefix], [])

type Matches = (name: string, pattern: string) => boolean

function isNamed(
  { open }: Pick<ToolServer, 'open'>,
  name: string,
  { entitlements, selection }: CallingRights,
  matches: Matches = matchesName,
): boolean {
  const lists = toolListsOf(entitlements)
  if (!lists.every((patterns) => patterns.some((pattern) => matches(name, pattern)))) return false
  return open || lists.length > 0 || grantsTool(selection, name)
}

/** True when the pattern can match a name that begins with the prefix. */
const isPrefixOf: Matches = (prefix, pattern) => {
  const fixed = pattern.split('*', 1)[0] ?? ''
  return fixed === pattern ? pattern.startsWith(prefix) : fixed.startsWith(prefix) || prefix.startsWith(fixed)
}

/** Returns the allowlists that restrict the caller. */
export const toolListsOf = ({ key, user, team }: Entitlements): readonly string[][] =>
  [key.allowedTools, user?.allowedTools ?? null, team?.allowedTools ?? null].filter((list) => list !== null)
