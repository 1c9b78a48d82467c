import {
  ById,
  defineResource,
  each,
  type ManagementApi,
  type Principal,
  principalOf,
} from '../../http/index.js'
import type { Outbound } from '../../outbound/index.js'
import { ApiError, conflict, notFound } from '../../shared/errors.js'
import { requireAddress, requireFreeName } from './check.js'
import { configuredFor } from './configured.js'
import { type DirectoryParts, readServer, readServers } from './directory.js'
import { changeServer, createServer, deleteServer } from './manage.js'
import { presentServer, presentSettings } from './present.js'
import { CreateMcpServer, McpServer, UpdateMcpServer } from './schema.js'
import type { McpListing, ToolServer } from './tool-server.js'
import { isOfFile } from './tools/keep-listing.js'

export interface McpServerRoutesOptions extends DirectoryParts {
  outbound: Outbound
  /** Asks a server for everything that it offers. Rejects with a message for its manager. */
  askServer(server: ToolServer, principal: Principal): Promise<McpListing>
}

export const tag = 'MCP servers'

export function registerMcpServerRoutes(api: ManagementApi, options: McpServerRoutesOptions): void {
  const { app, db } = api
  const { secrets, outbound, servers, askServer } = options

  defineResource(api, {
    path: '/v1/mcp-servers',
    params: ById,
    tag,
    one: 'an MCP server',
    many: 'MCP servers',
    item: McpServer,
    present: each((server: McpServer) => server),
    find: ({ principal, params }) => readServer(options, principal, params.id),
    onChange: servers.forget,
    list: {
      access: 'member',
      description:
        'Those of the tenant, newest first, then those of the configuration (`source: file`), by name. A member sees those that it may use, each with the tools that it may call.',
      async rows({ principal, filter: { after, limit } }) {
        const all = await readServers(options, principal)
        return all.filter((each) => after === null || isAfter(each.id, after)).slice(0, limit)
      },
      position: ({ id }) => id,
    },
    create: {
      description:
        'Nobody may call its tools before they are approved (`pinning`) and somebody may call them (`open`, `allowedTools`, `tools` policies). Ask it for its tools by `refresh`. Values of headers are stored encrypted and never shown. A URL that the rules for addresses refuse is a 400 whose message names the rule.',
      errors: ['conflict'],
      body: CreateMcpServer,
      answer: McpServer,
      async run({ principal, tenantId, body }) {
        requireFreeName(body.name, await configuredFor(db, options.configured, tenantId))
        await requireAddress(body.url, outbound)
        return async (db) => {
          const row = await createServer({ db, secrets }, principal, body)
          const nothing = { listing: undefined, tools: [], isConnected: false }
          return presentServer(await presentSettings(row, secrets), nothing)
        }
      },
    },
    read: {
      access: 'member',
      description: 'A member sees one that it may use, with the tools that it may call.',
    },
    update: {
      description:
        'Calls under way go on as they began; later ones follow the change, on every replica within a second. `headers` and `auth` are replaced as a whole; another `auth`, or another path of the same host, ends what users have connected. The address cannot change to another host while secrets are stored that were given for it, and one of the configuration cannot be changed here: 409.',
      errors: ['not_found', 'conflict'],
      body: UpdateMcpServer,
      async run({ principal, params: { id }, body }) {
        requireOwn(id)
        if (body.url !== undefined) await requireAddress(body.url, outbound)
        await changeServer(options, principal, id, body)
      },
    },
    remove: {
      description:
        'Calls under way end as they would. Its secrets, what users have connected and what was approved are erased. Deleting again is fine. One of the configuration cannot be deleted: 409.',
      errors: ['not_found', 'conflict'],
      async run({ principal, params: { id } }) {
        requireOwn(id)
        await deleteServer(options, principal, id)
      },
    },
  })

  app.post(
    '/v1/mcp-servers/:id/refresh',
    {
      config: {
        access: 'manager',
        errors: ['not_found', 'unavailable', 'upstream_error', 'upstream_timeout'],
      },
      schema: {
        tags: [tag],
        operationId: 'refreshMcpServer',
        summary: 'Ask an MCP server for its tools',
        description:
          'It is asked every few minutes and when it says that they changed; this does so now. A server that cannot be asked is `failing`, and `statusMessage` says why: what it listed before stays. One whose users prove who they are is asked in the name of the caller; what it lists no more is not gone for others, and its refusal is the answer (502).',
        params: ById,
        response: { 200: McpServer },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { id } = request.params
      const server = (await servers.list(principal.tenantId)).find((each) => each.id === id)
      if (!server) throw notFound('MCP server')
      await refresh(server, principal)
      return await readServer(options, principal, id)
    },
  )

  async function refresh(server: ToolServer, principal: Principal): Promise<void> {
    const isOfOneUser = server.auth.type !== 'none'
    let listing: McpListing
    try {
      listing = await askServer(server, principal)
    } catch (error) {
      // A failure of the server is stored as its state; a failure of this service, or of the caller, is the answer.
      if (isOfOneUser || !(error instanceof ApiError) || error.type === 'unavailable') throw error
      return await servers.noteFailure(server, error.message)
    }
    await servers.keepListing(server, listing, { isOfOneUser })
  }
}

function requireOwn(id: string): void {
  if (isOfFile({ id }))
    throw conflict(
      `MCP server ${id.slice('file:'.length)} is part of the configuration of this service: its operator changes it there`,
    )
}

/**
 * The tenant's own servers come first, newest first, because ids grow with time. Those of the file follow by name.
 */
function isAfter(id: string, last: string): boolean {
  if (isOfFile({ id }) !== isOfFile({ id: last })) return isOfFile({ id })
  return isOfFile({ id }) ? id > last : id < last
}
