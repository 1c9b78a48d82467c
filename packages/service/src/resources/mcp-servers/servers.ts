import { asObject } from '@tallystick/record/json'
import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import { type Headers, type Secrets, undecryptable } from '../../secrets/index.js'
import { unavailable } from '../../shared/errors.js'
import { type ConfiguredMcpServer, configuredFor, configuredId, type ReadConfigured } from './configured.js'
import { openClientSecret, openHeaders } from './secrets.js'
import { findServer, listServers, listTools, pinOf, type ServerRow, type ToolRow } from './store.js'
import type { McpListing, ToolServer } from './tool-server.js'
import { claimDueListings, claimListing } from './tools/claim-listings.js'
import { speaksForOthers } from './tools/flags.js'
import { type KeepOptions, keepListing, noteFailure } from './tools/keep-listing.js'
import { type Pinning, pinTool } from './tools/pins.js'

/** The MCP servers of tenants, for the tool gateway. */
export interface McpServers {
  /** Lists all servers, including disabled ones: the tenant's own, then those of the file, by name. */
  list(tenantId: string): Promise<readonly ToolServer[]>
  find(tenantId: string, name: string): Promise<ToolServer | null>
  /** Returns the headers of every request. Rejects while they cannot be decrypted. */
  headersOf(server: ToolServer): Promise<Headers>
  /**
   * Returns the client secret of a server with `auth: oauth`; null for none. Rejects while it cannot be decrypted.
   */
  clientSecretOf(server: ToolServer): Promise<string | null>
  /** Compares a server's listing with what was approved, and stores it. */
  keepListing(server: ToolServer, listing: McpListing, options?: KeepOptions): Promise<void>
  /** Records that the server could not be asked. The message is this service's own. */
  noteFailure(server: ToolServer, message: string): Promise<void>
  /** Claims servers whose listing is due. Each is given to one replica. */
  claimDue(maxAgeMs: number, max: number): Promise<{ tenantId: string; id: string }[]>
  /** Returns false if any replica asked the server within this time. */
  claim(server: ToolServer, maxAgeMs: number): Promise<boolean>
  /** Clears a tenant's servers from the cache at once, on the replica that made the change. */
  forget(tenantId: string): void
  /** Clears all servers from the cache at once, because the operator's file was read again. */
  forgetAll(): void
}

export interface McpServersOptions {
  db: Db
  changes: Changes
  secrets: Secrets
  configured: ReadConfigured
}

interface ServerTable {
  tenantId: string
  byName: ReadonlyMap<string, ToolServer>
  pinnings: ReadonlyMap<string, Pinning>
}

export function createMcpServers({ db, changes, secrets, configured }: McpServersOptions): McpServers {
  const cache = createTenantCache<ServerTable>(changes, ['mcp_servers', 'mcp_tools'])

  async function load(tenantId: string): Promise<ServerTable> {
    const [own, given, tools] = await Promise.all([
      listServers(db, tenantId),
      configuredFor(db, configured, tenantId),
      listTools(db, tenantId, null),
    ])
    const names = new Set([...own, ...given].map(({ name }) => name))
    const toolsOf = new Map<string, ToolRow[]>()
    for (const row of tools) pushTo(toolsOf, row)
    const pinned = (id: string, name: string, pinning: Pinning) => {
      const others = new Set(names)
      others.delete(name)
      return (toolsOf.get(id) ?? []).map((row) => pinTool(readTool(row, others), pinning))
    }
    const terms = [
      ...own.map((row) => ({ ...fromRow(row), tools: pinned(row.id, row.name, row.pinning) })),
      // A name that the tenant gave to its own server keeps referring to that server.
      ...given
        .filter(({ name }) => own.every((row) => row.name !== name))
        .map((server) => ({
          ...fromConfigured(server, tenantId),
          tools: pinned(configuredId(server), server.name, server.pinning),
        })),
    ]
    return {
      tenantId,
      byName: new Map(terms.map((each) => [each.name, each])),
      pinnings: new Map([
        ...given.map((server) => [configuredId(server), server.pinning] as const),
        ...own.map((row) => [row.id, row.pinning] as const),
      ]),
    }
  }
  const tableOf = async (tenantId: string) =>
    (await cache.get(tenantId, () => load(tenantId))) ?? (await load(tenantId))

  const listed = async (server: ToolServer) => ({
    ...server,
    pinning: (await tableOf(server.tenantId)).pinnings.get(server.id) ?? 'block',
  })
  const fileServer = ({ id }: ToolServer) => configured().find((each) => configuredId(each) === id)

  /** Secrets are sent only to the address that they were given for, even while it is changed. */
  async function findUnmoved(server: ToolServer): Promise<ServerRow> {
    const row = await findServer(db, server)
    if (row && server.transport.type === 'http' && row.url === server.transport.url) return row
    cache.forget(server.tenantId)
    throw unavailable(`MCP server ${server.name} was changed at this moment; send the request again`)
  }

  return {
    forget: cache.forget,
    forgetAll: cache.clear,
    list: async (tenantId) => [...(await tableOf(tenantId)).byName.values()],
    find: async (tenantId, name) => (await tableOf(tenantId)).byName.get(name) ?? null,
    async headersOf(server) {
      const ofFile = fileServer(server)
      if (ofFile) return ofFile.headers
      const headers = await openHeaders(secrets, await findUnmoved(server))
      if (headers === undecryptable) throw cannotBeOpened(server, 'headers')
      return headers
    },
    async clientSecretOf(server) {
      const ofFile = fileServer(server)
      if (ofFile) return ofFile.clientSecret
      const secret = await openClientSecret(secrets, await findUnmoved(server))
      if (secret === undecryptable) throw cannotBeOpened(server, 'client secret')
      return secret
    },
    async keepListing(server, listing, keepOptions) {
      await keepListing(db, await listed(server), listing, keepOptions)
      cache.forget(server.tenantId)
    },
    noteFailure: async (server, message) => await noteFailure(db, await listed(server), message),
    claimDue: (maxAgeMs, max) => claimDueListings(db, configured(), maxAgeMs, max),
    claim: (server, maxAgeMs) => claimListing(db, server, maxAgeMs),
  }
}

function pushTo(toolsOf: Map<string, ToolRow[]>, row: ToolRow): void {
  const known = toolsOf.get(row.server_id)
  if (known) known.push(row)
  else toolsOf.set(row.server_id, [row])
}

const cannotBeOpened = ({ name }: ToolServer, what: string) =>
  unavailable(
    `The ${what} of MCP server ${name} cannot be decrypted: set it again, or give the service the master key`,
  )

function readTool(row: ToolRow, others: ReadonlySet<string>) {
  const seen = () => asObject(JSON.parse(row.seen_definition))
  return {
    ...pinOf(row),
    seen,
    approved: () => asObject(JSON.parse(row.approved_definition ?? '{}')),
    speaksForOthers: () => speaksForOthers(seen(), others),
  }
}

const fromRow = (row: ServerRow): Omit<ToolServer, 'tools'> => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.name,
  transport: { type: 'http', url: row.url },
  auth: row.auth,
  enabled: row.enabled,
  open: row.open,
  priceNanos: row.price_nanos,
  rpmLimit: row.rpm_limit,
  limitsSince: row.limits_since,
  timeoutMs: row.timeout_ms,
  maxResultBytes: row.max_result_bytes,
  resources: row.resources,
  prompts: row.prompts,
})

const fromConfigured = (server: ConfiguredMcpServer, tenantId: string): Omit<ToolServer, 'tools'> => ({
  id: configuredId(server),
  tenantId,
  name: server.name,
  transport: server.transport,
  auth: server.auth,
  enabled: true,
  open: server.open,
  priceNanos: server.priceNanos,
  rpmLimit: server.rpmLimit,
  limitsSince: 0,
  timeoutMs: server.timeoutMs,
  maxResultBytes: server.maxResultBytes,
  resources: server.resources,
  prompts: server.prompts,
})
