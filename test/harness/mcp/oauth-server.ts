import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Client {
  id: string
  secret: string | null
  redirectUris: string[]
}

interface Code {
  clientId: string
  redirectUri: string
  challenge: string
  resource: string
  scope: string
  account: string
}

/** What one consent gave, and what came of it. */
interface Family {
  account: string
  resource: string
  scope: string
  refreshToken: string | null
  /** Those that were replaced. */
  usedTokens: string[]
  isRevoked: boolean
}

/** How it behaves; tests change what they are about. */
export interface OAuthBehaviour {
  /** Seconds; undefined: it does not say. */
  expiresIn: number | undefined
  givesRefreshToken: boolean
  rotates: boolean
  /** Members of the two metadata documents that are other than they should be; undefined leaves one out. */
  resourceMetadata: Record<string, unknown>
  metadata: Record<string, unknown>
  /** `iss` of what it sends back; null for none. */
  iss: string | null | undefined
  /** Of what it sends back instead of a code. */
  error: string | null
  tokenType: string
  /** Answers of its own, by path; undefined answers as usual. */
  answer(path: string, response: ServerResponse): boolean
  /** Waits before it answers a request for tokens. */
  beforeToken(): Promise<void>
}

/** An authorization server and, at `/mcp`, a resource that wants its tokens: on one loopback port, with everything checked. */
export interface OAuthServer {
  origin: string
  /** Of the resource. */
  url: string
  behaviour: OAuthBehaviour
  /** What reached it, as `METHOD path`. */
  requests: string[]
  tokenRequests: URLSearchParams[]
  registrations: Record<string, unknown>[]
  addClient(id: string, secret: string | null): void
  forgetClients(): void
  /** Ends every consent: no token of it is worth anything. */
  revokeAll(): void
  /** From here on no access token is accepted; refresh tokens are. */
  expireAccessTokens(): void
  /** What a user's browser does at the page for consent: the address that it is sent back to. */
  consent(authorizationUrl: string, account?: string): Promise<string>
  /** The account that an access token stands for; null for a token that is not worth anything. */
  accountOf(accessToken: string): string | null
  close(): Promise<void>
}

export async function startOAuthServer(): Promise<OAuthServer> {
  const clients = new Map<string, Client>()
  const codes = new Map<string, Code>()
  const spentCodes = new Map<string, Family>()
  const accessTokens = new Map<string, Family>()
  const families: Family[] = []
  const requests: string[] = []
  const tokenRequests: URLSearchParams[] = []
  const registrations: Record<string, unknown>[] = []
  const behaviour: OAuthBehaviour = {
    expiresIn: 3600,
    givesRefreshToken: true,
    rotates: true,
    resourceMetadata: {},
    metadata: {},
    iss: undefined,
    error: null,
    tokenType: 'Bearer',
    answer: () => false,
    beforeToken: async () => undefined,
  }
  let account = 'somebody'
  let made = 0
  const next = () => `secret-${++made}`

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => json(response, 500, { error: String(error) }))
  })
  // Only the other side ends a connection that is idle: one that this side ends may be in use again at that very moment.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const url = `${origin}/mcp`

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const asked = new URL(request.url ?? '/', origin)
    const { pathname: path } = asked
    requests.push(`${request.method} ${path}`)
    const body = await readBody(request)
    if (behaviour.answer(path, response)) return
    if (path === '/.well-known/oauth-protected-resource/mcp') return json(response, 200, describeResource())
    if (path === '/.well-known/oauth-authorization-server') return json(response, 200, describeSelf())
    if (path === '/register') return register(response, JSON.parse(body))
    if (path === '/authorize') return authorize(response, asked.searchParams)
    if (path === '/token') return await giveTokens(request, response, new URLSearchParams(body))
    if (path === '/mcp') return serve(request, response)
    json(response, 404, {})
  }

  const describeResource = () => ({
    resource: url,
    authorization_servers: [origin],
    scopes_supported: ['read', 'write'],
    ...behaviour.resourceMetadata,
  })

  const describeSelf = () => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    authorization_response_iss_parameter_supported: true,
    ...behaviour.metadata,
  })

  function register(response: ServerResponse, metadata: Record<string, unknown>) {
    registrations.push(metadata)
    const client: Client = {
      id: `client-${registrations.length}`,
      secret: metadata.token_endpoint_auth_method === 'none' ? null : next(),
      redirectUris: metadata.redirect_uris as string[],
    }
    clients.set(client.id, client)
    json(response, 201, {
      ...metadata,
      client_id: client.id,
      ...(client.secret !== null && { client_secret: client.secret, client_secret_expires_at: 0 }),
    })
  }

  function authorize(response: ServerResponse, query: URLSearchParams) {
    const text = (name: string) => query.get(name) ?? ''
    const client = clients.get(text('client_id'))
    const redirectUri = text('redirect_uri')
    const isRegistered = client?.redirectUris.length === 0 || client?.redirectUris.includes(redirectUri)
    if (client === undefined || !isRegistered)
      return json(response, 400, { error: 'unknown client or address' })
    if (
      text('code_challenge_method') !== 'S256' ||
      text('response_type') !== 'code' ||
      text('resource') !== describeResource().resource
    )
      return json(response, 400, { error: 'not what OAuth 2.1 asks for' })
    const back = new URL(redirectUri)
    if (query.has('state')) back.searchParams.set('state', text('state'))
    const iss = behaviour.iss === undefined ? origin : behaviour.iss
    if (iss !== null) back.searchParams.set('iss', iss)
    if (behaviour.error === null) {
      const code = next()
      codes.set(code, {
        clientId: client.id,
        redirectUri,
        challenge: text('code_challenge'),
        resource: text('resource'),
        scope: text('scope'),
        account,
      })
      back.searchParams.set('code', code)
    } else back.searchParams.set('error', behaviour.error)
    response.writeHead(302, { location: back.href }).end()
  }

  async function giveTokens(request: IncomingMessage, response: ServerResponse, form: URLSearchParams) {
    tokenRequests.push(form)
    await behaviour.beforeToken()
    const client = clientOf(request, form)
    if (client === null) return json(response, 401, { error: 'invalid_client' })
    const family = form.get('grant_type') === 'refresh_token' ? renewed(form) : granted(form, client)
    if (family === null)
      return json(response, 400, { error: 'invalid_grant', error_description: 'secret details' })
    const accessToken = `at-${next()}`
    accessTokens.set(accessToken, family)
    const isNew = family.refreshToken === null || behaviour.rotates
    if (behaviour.givesRefreshToken && isNew) {
      if (family.refreshToken !== null) family.usedTokens.push(family.refreshToken)
      family.refreshToken = `rt-${next()}`
    }
    json(response, 200, {
      access_token: accessToken,
      token_type: behaviour.tokenType,
      scope: family.scope,
      ...(behaviour.expiresIn !== undefined && { expires_in: behaviour.expiresIn }),
      ...(behaviour.givesRefreshToken && isNew && { refresh_token: family.refreshToken }),
    })
  }

  function clientOf(request: IncomingMessage, form: URLSearchParams): Client | null {
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const [id = '', secret = null] =
      basic === undefined
        ? [form.get('client_id') ?? '', form.get('client_secret')]
        : Buffer.from(basic, 'base64').toString().split(':')
    const client = clients.get(id)
    return client !== undefined && client.secret === secret ? client : null
  }

  function granted(form: URLSearchParams, client: Client): Family | null {
    const name = form.get('code') ?? ''
    const spent = spentCodes.get(name)
    // OAuth 2.1: a code that comes twice was stolen, and what it gave is worth nothing any more.
    if (spent !== undefined) spent.isRevoked = true
    const code = codes.get(name)
    codes.delete(name)
    const verifier = form.get('code_verifier') ?? ''
    const isRight =
      code !== undefined &&
      code.clientId === client.id &&
      code.redirectUri === form.get('redirect_uri') &&
      code.resource === form.get('resource') &&
      code.challenge === createHash('sha256').update(verifier).digest('base64url')
    if (!isRight) return null
    const { resource, scope, account: of } = code
    const family: Family = {
      account: of,
      resource,
      scope,
      refreshToken: null,
      usedTokens: [],
      isRevoked: false,
    }
    families.push(family)
    spentCodes.set(name, family)
    return family
  }

  /** A refresh token that was replaced and comes again revokes all that came of its consent. */
  function renewed(form: URLSearchParams): Family | null {
    const token = form.get('refresh_token')
    const family = families.find((each) => each.refreshToken === token && !each.isRevoked)
    if (family !== undefined && form.get('resource') === family.resource) return family
    for (const each of families) if (each.usedTokens.includes(token ?? '')) each.isRevoked = true
    return null
  }

  function serve(request: IncomingMessage, response: ServerResponse) {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (accountOf(token) === null) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`
      response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}", scope="read"`)
      return json(response, 401, { error: 'invalid_token' })
    }
    json(response, 200, { jsonrpc: '2.0', id: 1, result: { account: accountOf(token) } })
  }

  function accountOf(token: string): string | null {
    const family = accessTokens.get(token)
    return family === undefined || family.isRevoked ? null : family.account
  }

  return {
    ...{ origin, url, behaviour, requests, tokenRequests, registrations, accountOf },
    addClient: (id, secret) => void clients.set(id, { id, secret, redirectUris: [] }),
    forgetClients: () => clients.clear(),
    revokeAll() {
      for (const family of families) family.isRevoked = true
    },
    expireAccessTokens: () => accessTokens.clear(),
    async consent(authorizationUrl, as = 'somebody') {
      account = as
      const answer = await fetch(authorizationUrl, { redirect: 'manual' })
      const location = answer.headers.get('location')
      if (location === null) throw new Error(`no consent: ${answer.status} ${await answer.text()}`)
      return location
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
