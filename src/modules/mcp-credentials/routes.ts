import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { conflict, notFound } from '../../errors.js'
import { type App, ById, type Principal, type PublicPlace, principalOf } from '../../http/index.js'
import type { McpServerTerms, ToolAccess } from '../mcp-servers/index.js'
import { type CredentialStore, removeCredential, setHeaderValue, showCredential } from './manage.js'
import { McpConnection, McpCredential, SetMcpCredential } from './schema.js'

interface McpCredentialRoutesOptions extends CredentialStore {
  /** Also those of the operator's file. */
  findServer(tenantId: string, id: string): Promise<McpServerTerms | null>
  accessOf(principal: Principal): Promise<ToolAccess>
  /** The path at which the principal's browser begins to give consent, from the root of the service. */
  connectPath(principal: Principal, server: McpServerTerms): Promise<string>
  publicPlace: PublicPlace | null
}

const tags = ['MCP servers']
const path = '/v1/mcp-servers/:id/credential'

/** Everybody manages what is their own: there is no way to name another user's. */
export function registerMcpCredentialRoutes(app: App, options: McpCredentialRoutesOptions): void {
  async function findServer({ tenantId }: Principal, id: string): Promise<McpServerTerms> {
    const server = await options.findServer(tenantId, id)
    if (server === null) throw notFound('MCP server')
    return server
  }

  /** One that the principal sees: a member sees what it may use. */
  async function requireServer(principal: Principal, id: string): Promise<McpServerTerms> {
    const server = await findServer(principal, id)
    if (principal.role !== 'member') return server
    const { mayUse } = await options.accessOf(principal)
    if (!server.enabled || !mayUse(server)) throw notFound('MCP server')
    return server
  }

  app.get(
    path,
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getMcpCredential',
        summary: 'Read whether you are connected',
        description:
          'Whether the service can call this server as you: as your user, or as your key where it has no owner. What it does so with is never shown.',
        params: ById,
        response: { 200: McpCredential },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const server = await requireServer(principal, request.params.id)
      return await showCredential(options.db, options.credentials, principal, server)
    },
  )

  app.put(
    path,
    {
      config: { access: 'member', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'setMcpCredential',
        summary: 'Store a credential of your own',
        description:
          'For a server with `auth` of type `header`: your calls to it carry this value, and nobody else’s do. It is sealed, for this server at its present address and for you.',
        params: ById,
        body: SetMcpCredential,
        response: { 200: McpCredential },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const server = await requireServer(principal, request.params.id)
      return await setHeaderValue(options, principal, server, request.body.value)
    },
  )

  app.delete(
    path,
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'deleteMcpCredential',
        summary: 'Delete a credential of your own',
        description:
          'The service forgets the value or the tokens at once. A consent is still known to whoever asked for it: withdraw it there, too. Deleting again is fine.',
        params: ById,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      // Also for somebody who may not use the server any more.
      await removeCredential(options, principal, await findServer(principal, request.params.id))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/mcp-servers/:id/connect',
    {
      config: { access: 'member', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'connectMcpServer',
        summary: 'Connect your account',
        description:
          'For a server with `auth` of type `oauth`: the link at which you give consent, in a browser. Your calls then carry tokens that are yours alone; the service renews them for as long as the consent lasts. Takes no body.',
        params: ById,
        response: { 200: McpConnection },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const server = await requireServer(principal, request.params.id)
      if (server.auth.type !== 'oauth')
        throw conflict(
          `MCP server ${server.name} takes no consent; its \`auth\` is of type ${server.auth.type}`,
        )
      return { url: `${baseOf(request, options.publicPlace)}${await options.connectPath(principal, server)}` }
    },
  )
}

/** As people see the service; where nobody said so, as this request was sent. */
const baseOf = ({ protocol, host }: FastifyRequest, place: PublicPlace | null): string =>
  place === null ? `${protocol}://${host}` : `${place.origin}${place.prefix}`
