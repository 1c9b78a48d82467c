import {
  ById,
  defineResource,
  type ManagementApi,
  type Principal,
  presentEach,
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
    present: presentEach((server: McpServer) => server),
    find: ({ principal, params }) => readServer(options, principal, params.id),
    onChange: servers.forget,
    list: {
      access: 'member',
      description:
        'Lists the MCP servers of the tenant, newest first, followed by those from the configuration (`source: file`), by name. Members see the servers that they may use, with the tools that they may call.',
      async rows({ principal, filter: { after, limit } }) {
        const all = await readServers(options, principal)
        return all.filter((each) => after === null || isAfter(each.id, after)).slice(0, limit)
      },
      position: ({ id }) => id,
    },
    create: {
      description:
        'Creates an MCP server. Its tools can be called after they are approved (`pinning`) and by callers who may use them (`open`, `allowedTools`, `tools` policies). Use `refresh` to list its tools. The values of headers are stored encrypted and never returned. A URL that breaks the URL rules is refused with 400 and a message that names the rule.',
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
      description:
        'Returns an MCP server. Members can read only servers that they may use, and see only tools that they may call.',
    },
    update: {
      description: `Updates the fields that are sent and leaves all others as they are. \`headers\` and \`auth\` are replaced as a whole. A change of
\`auth\`, or of the path of the URL, disconnects all users. Calls in progress keep the old settings; later calls use the new
ones, on every replica within a second.

The request fails with 409 if the URL has a new host while secrets are stored that were given for the old one, and for a
server from the configuration.`,
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
        'Deletes an MCP server and erases its secrets, the credentials of its users and its approvals. Calls in progress continue to their end. Deleting a deleted server also succeeds. A server from the configuration cannot be deleted with the API (409).',
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
        summary: 'Refresh the tools of an MCP server',
        description: `Lists the tools of the server now. The service also does so every few minutes, and when the server reports a change.

If the server cannot be reached, its status is \`failing\`, \`statusMessage\` says why, and the previous tools stay. A server
that identifies users is asked on behalf of the caller: tools that it no longer lists for the caller stay for others, and its
refusal is returned as 502.`,
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
