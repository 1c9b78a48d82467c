import type { Entitlements } from '../../modules/keys/index.js'
import type { McpServerTerms, PinnedTool } from '../../modules/mcp-servers/index.js'
import { blocksTool, grantsTool, matchesName, type Selection } from '../../modules/policies/index.js'

/** How a tool is called in lists, policies and receipts. */
export const fullName = (server: Pick<McpServerTerms, 'name'>, tool: string): string =>
  `${server.name}__${tool}`

/** What decides whether a tool may be called. */
export interface CallingRights {
  entitlements: Entitlements
  /** The policies that apply to the caller. */
  selection: Selection
}

/**
 * The tool as the caller may see it; null where it may not be called. A new server is closed: its tools must be named by a list of the
 * key, its user or its team, or by a policy. Every list that there is must name it.
 */
export function findCallable(server: McpServerTerms, tool: string, rights: CallingRights): PinnedTool | null {
  const found = server.tools.find(({ name }) => name === tool)
  return found !== undefined && mayCall(server, found, rights) ? found : null
}

export function mayCall(server: McpServerTerms, tool: PinnedTool, rights: CallingRights): boolean {
  if (!server.enabled || tool.definition === null) return false
  const name = fullName(server, tool.name)
  return isNamed(server, name, rights) && !blocksTool(rights.selection, [name], [tool.name])
}

/** Whether the caller may use anything of the server: what it reads and completes there is no tool. */
export const mayUseServer = (server: McpServerTerms, rights: CallingRights): boolean =>
  server.enabled &&
  (mayUseAll(server, fullName(server, ''), rights) ||
    server.tools.some((tool) => mayCall(server, tool, rights)))

/** What a policy says of all names that begin so, it says of the server. */
const mayUseAll = (server: McpServerTerms, prefix: string, rights: CallingRights): boolean =>
  isNamed(server, prefix, rights, isPrefixOf) && !blocksTool(rights.selection, [prefix], [])

type Matches = (name: string, pattern: string) => boolean

function isNamed(
  { open }: Pick<McpServerTerms, 'open'>,
  name: string,
  { entitlements, selection }: CallingRights,
  matches: Matches = matchesName,
): boolean {
  const lists = toolListsOf(entitlements)
  if (!lists.every((patterns) => patterns.some((pattern) => matches(name, pattern)))) return false
  return open || lists.length > 0 || grantsTool(selection, name)
}

/** Whether a pattern can match something that begins with this. */
const isPrefixOf: Matches = (prefix, pattern) => {
  const fixed = pattern.split('*', 1)[0] ?? ''
  return fixed === pattern ? pattern.startsWith(prefix) : fixed.startsWith(prefix) || prefix.startsWith(fixed)
}

/** The lists that restrict the caller. */
export const toolListsOf = ({ key, user, team }: Entitlements): readonly string[][] =>
  [key.allowedTools, user?.allowedTools ?? null, team?.allowedTools ?? null].filter((list) => list !== null)
