import type { FastifyRequest } from 'fastify'
import {
  ById,
  defineResource,
  type ManagementApi,
  type Principal,
  type PublicAddress,
  presentEach,
  principalOf,
} from '../../http/index.js'
import { conflict, notFound } from '../../shared/errors.js'
import type { ToolAccess, ToolServer } from '../mcp-servers/index.js'
import { type CredentialStore, removeCredential, setHeaderValue, showCredential } from './manage.js'
import { McpConnection, McpCredential, SetMcpCredential } from './schema.js'

interface McpCredentialRoutesOptions extends Omit<CredentialStore, 'db'> {
  /** Also finds servers of the operator's file. */
  findServer(tenantId: string, id: string): Promise<ToolServer | null>
  accessOf(principal: Principal): Promise<ToolAccess>
  /** Returns the path at which the principal's browser begins to give consent, from the root of the service. */
  connectPath(principal: Principal, server: ToolServer): Promise<string>
  publicAddress: PublicAddress | null
}

const tag = 'MCP servers'

/** Everybody manages only their own credentials: another user's cannot be named. */
export function registerMcpCredentialRoutes(api: ManagementApi, options: McpCredentialRoutesOptions): void {
  const { app, db } = api
  const { credentials } = options

  async function findServer({ tenantId }: Principal, id: string): Promise<ToolServer> {
    const server = await options.findServer(tenantId, id)
    if (server === null) throw notFound('MCP server')
    return server
  }

  /** Returns a server that the principal sees: a member sees those it may use. */
  async function requireServer(principal: Principal, id: string): Promise<ToolServer> {
    const server = await findServer(principal, id)
    if (principal.role !== 'member') return server
    const { mayUse } = await options.accessOf(principal)
    if (!server.enabled || !mayUse(server)) throw notFound('MCP server')
    return server
  }

  defineResource(api, {
    path: '/v1/mcp-servers/:id/credential',
    params: ById,
    tag,
    one: 'a credential',
    many: 'credentials',
    item: McpCredential,
    present: presentEach((credential: McpCredential) => credential),
    async find({ principal, params }) {
      const server = await requireServer(principal, params.id)
      return await showCredential(db, credentials, principal, server)
    },
    read: {
      access: 'member',
      operationId: 'getMcpCredential',
      summary: 'Get your connection to an MCP server',
      description:
        'Returns whether the service can call this server on your behalf: for your user, or for your key if it has no owner. The credential itself is never returned.',
    },
    update: {
      method: 'PUT',
      access: 'member',
      operationId: 'setMcpCredential',
      summary: 'Store your credential for an MCP server',
      description:
        'Stores the header value that your calls to this server send, for a server whose `auth` has the type `header`. Only your calls use it. The value is encrypted for you and for the current URL of this server.',
      errors: ['not_found', 'conflict'],
      body: SetMcpCredential,
      async run({ principal, params, body }) {
        const server = await requireServer(principal, params.id)
        await setHeaderValue({ db, credentials }, principal, server, body.value)
      },
    },
    remove: {
      access: 'member',
      operationId: 'deleteMcpCredential',
      summary: 'Delete your credential for an MCP server',
      description:
        'Deletes your stored value or tokens at once. The authorization server still has your consent, so withdraw it there too. The request also succeeds if nothing is stored.',
      // Also for a user who may no longer use the server.
      run: async ({ principal, params }) =>
        removeCredential({ db, credentials }, principal, await findServer(principal, params.id)),
    },
  })

  app.post(
    '/v1/mcp-servers/:id/connect',
    {
      config: { access: 'member', errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'connectMcpServer',
        summary: 'Connect your account to an MCP server',
        description:
          'Returns the URL at which you give consent in a browser, for a server whose `auth` has the type `oauth`. Your calls then use your own tokens, which the service renews for as long as the consent lasts. This operation takes no body.',
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
      return {
        url: `${baseOf(request, options.publicAddress)}${await options.connectPath(principal, server)}`,
      }
    },
  )
}

/** Returns the public address of the service; when it is not configured, the address of this request. */
const baseOf = ({ protocol, host }: FastifyRequest, place: PublicAddress | null): string =>
  place === null ? `${protocol}://${host}` : `${place.origin}${place.prefix}`
