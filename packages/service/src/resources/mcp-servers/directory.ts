import type { Db } from '../../db/index.js'
import type { Principal } from '../../http/index.js'
import type { Secrets } from '../../secrets/index.js'
import { notFound } from '../../shared/errors.js'
import { configuredFor, type ReadConfigured } from './configured.js'
import { forMember, presentConfigured, presentServer, presentSettings, subjectOf } from './present.js'
import type { McpServer } from './schema.js'
import type { McpServers } from './servers.js'
import { listConnected, listListings, listPins, listServers } from './store.js'
import type { PinnedTool, ToolServer } from './tool-server.js'

/** What a principal may call, as the tool gateway decides it. */
export interface ToolAccess {
  mayUse(server: ToolServer): boolean
  mayCall(server: ToolServer, tool: PinnedTool): boolean
}

export interface DirectoryParts {
  db: Db
  secrets: Secrets
  servers: McpServers
  configured: ReadConfigured
  accessOf(principal: Principal): Promise<ToolAccess>
}

/** Lists the servers that a principal sees: the tenant's own, newest first, then those of the file, by name. */
export async function readServers(parts: DirectoryParts, principal: Principal): Promise<McpServer[]> {
  const { db, secrets } = parts
  const { tenantId } = principal
  const [rows, given, listings, pins, connected] = await Promise.all([
    listServers(db, tenantId),
    configuredFor(db, parts.configured, tenantId),
    listListings(db, tenantId),
    listPins(db, tenantId),
    listConnected(db, tenantId, subjectOf(principal)),
  ])
  const own = await Promise.all(rows.map((row) => presentSettings(row, secrets)))
  const ofFile = given
    // A name that the tenant gave to its own server keeps referring to that server.
    .filter(({ name }) => own.every((each) => each.name !== name))
    .map(presentConfigured)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const all = [...own, ...ofFile].map((settings) =>
    presentServer(settings, {
      listing: listings.get(settings.id),
      tools: pins.filter(({ server_id }) => server_id === settings.id),
      isConnected: connected.has(settings.id),
    }),
  )
  return principal.role === 'member' ? await asMemberSees(all, parts, principal) : all
}

async function asMemberSees(
  all: readonly McpServer[],
  { servers, accessOf }: DirectoryParts,
  principal: Principal,
): Promise<McpServer[]> {
  const [current, access] = await Promise.all([servers.list(principal.tenantId), accessOf(principal)])
  const byId = new Map(current.map((each) => [each.id, each]))
  return all.flatMap((server) => {
    const known = byId.get(server.id)
    if (!known?.enabled || !access.mayUse(known)) return []
    const callable = known.tools.filter((tool) => tool.definition !== null && access.mayCall(known, tool))
    const names = new Set(callable.map(({ name }) => name))
    return [forMember(server, (name) => names.has(name))]
  })
}

export async function readServer(
  parts: DirectoryParts,
  principal: Principal,
  id: string,
): Promise<McpServer> {
  const found = (await readServers(parts, principal)).find((server) => server.id === id)
  if (!found) throw notFound('MCP server')
  return found
}
