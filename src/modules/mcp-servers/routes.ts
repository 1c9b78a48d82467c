import { Type } from 'typebox'
import { ApiError, conflict, notFound } from '../../errors.js'
import {
  type App,
  ById,
  type Cursors,
  Page,
  PageQuery,
  type Principal,
  principalOf,
  readPage,
  strict,
} from '../../http/index.js'
import type { Outbound } from '../../outbound/index.js'
import { answerOnce } from '../idempotency/index.js'
import { requireAddress, requireFreeName } from './check.js'
import { configuredFor } from './configured.js'
import { type DirectoryParts, readServer, readServers } from './directory.js'
import { isOfFile } from './keep-listing.js'
import { changeServer, createServer, deleteServer } from './manage.js'
import { presentServer, presentSettings } from './present.js'
import { CreateMcpServer, McpServer, UpdateMcpServer } from './schema.js'
import type { McpListing, McpServerTerms } from './terms.js'

export interface McpServerRoutesOptions extends DirectoryParts {
  cursors: Cursors
  outbound: Outbound
  /** Asks a server for all that it offers. Rejects with words for whoever manages it. */
  askServer(server: McpServerTerms, principal: Principal): Promise<McpListing>
}

export const tags = ['MCP servers']

export function registerMcpServerRoutes(app: App, options: McpServerRoutesOptions): void {
  const { db, secrets, cursors, outbound, servers, askServer } = options

  app.get(
    '/v1/mcp-servers',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listMcpServers',
        summary: 'List MCP servers',
        description:
          'Those of the tenant, newest first, then those of the configuration (`source: file`), by name. A member sees those that it may use, each with the tools that it may call.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(McpServer, 'McpServerPage') },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const all = await readServers(options, principal)
      return await readPage({
        query: request.query,
        scope: `mcp-servers ${principal.tenantId}`,
        cursors,
        fetch: async ({ after, limit }) =>
          all.filter((each) => after === null || isAfter(each.id, after)).slice(0, limit),
        position: ({ id }) => id,
        present: (each) => each,
      })
    },
  )

  app.post(
    '/v1/mcp-servers',
    {
      config: { access: 'manager', idempotent: true, errors: ['conflict'] },
      schema: {
        tags,
        operationId: 'createMcpServer',
        summary: 'Create an MCP server',
        description:
          'Nobody may call its tools before they are approved (`pinning`) and somebody may call them (`open`, `allowedTools`, `tools` policies). Ask it for its tools by `refresh`. Values of headers are stored encrypted and never shown. A URL that the rules for addresses refuse is a 400 whose message names the rule.',
        body: CreateMcpServer,
        response: { 201: McpServer },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const created = await answerOnce(
        db,
        request,
        async (db) => {
          const row = await createServer({ db, secrets }, principal, request.body)
          const nothing = { listing: undefined, tools: [], isConnected: false }
          return presentServer(await presentSettings(row, secrets), nothing)
        },
        async () => {
          requireFreeName(request.body.name, await configuredFor(db, options.configured, tenantId))
          await requireAddress(request.body.url, outbound)
        },
      )
      servers.forget(tenantId)
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/v1/mcp-servers/:id',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getMcpServer',
        summary: 'Read an MCP server',
        description: 'A member sees one that it may use, with the tools that it may call.',
        params: ById,
        response: { 200: McpServer },
      },
    },
    async (request) => await readServer(options, principalOf(request), request.params.id),
  )

  app.patch(
    '/v1/mcp-servers/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'updateMcpServer',
        summary: 'Change an MCP server',
        description:
          'Calls under way go on as they began; later ones follow the change, on every replica within a second. `headers` and `auth` are replaced as a whole; another `auth`, or another path of the same host, ends what users have connected. The address cannot change to another host while secrets are stored that were given for it, and one of the configuration cannot be changed here: 409.',
        params: ById,
        body: UpdateMcpServer,
        response: { 200: McpServer },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { id } = request.params
      requireOwn(id)
      if (request.body.url !== undefined) await requireAddress(request.body.url, outbound)
      await changeServer(options, principal, id, request.body)
      servers.forget(principal.tenantId)
      return await readServer(options, principal, id)
    },
  )

  app.delete(
    '/v1/mcp-servers/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'deleteMcpServer',
        summary: 'Delete an MCP server',
        description:
          'Calls under way end as they would. Its secrets, what users have connected and what was approved are erased. Deleting again is fine. One of the configuration cannot be deleted: 409.',
        params: ById,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      requireOwn(request.params.id)
      await deleteServer(options, principal, request.params.id)
      servers.forget(principal.tenantId)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/mcp-servers/:id/refresh',
    {
      config: {
        access: 'manager',
        errors: ['not_found', 'unavailable', 'upstream_error', 'upstream_timeout'],
      },
      schema: {
        tags,
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

  async function refresh(server: McpServerTerms, principal: Principal): Promise<void> {
    const isOfOneUser = server.auth.type !== 'none'
    let listing: McpListing
    try {
      listing = await askServer(server, principal)
    } catch (error) {
      // What is the matter with the server is its state; what is the matter with this service, or with the caller, is the answer.
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

/** The tenant's own come first, the newest of them first: ids grow with time. Those of the file follow by name. */
function isAfter(id: string, last: string): boolean {
  if (isOfFile({ id }) !== isOfFile({ id: last })) return isOfFile({ id })
  return isOfFile({ id }) ? id > last : id < last
}
