import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** What the issuer knows of a person. */
export interface IssuedAccount {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

/** A real issuer of OpenID Connect on this machine. Whoever comes to sign in is the person that it was told. */
export interface OidcIssuer {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who signs in from now on; null: nobody, the person turns away. */
  person: IssuedAccount | null
  /** Ends all connections, and new ones at once. It keeps its address, which somebody else might get meanwhile. */
  leave(): void
  /** With other keys than before. */
  comeBack(): void
  stop(): Promise<void>
}

/** `prefix`: the path below which the client has its redirect URI. */
export async function startOidcIssuer(prefix = ''): Promise<OidcIssuer> {
  const clientId = 'tallystick'
  const clientSecret = 'the secret of the client'
  const accounts = new Map<string, IssuedAccount>()
  /** Null while nobody is there. */
  let provider: Provider | null = null
  const server = createServer((request, response) => {
    if (provider === null) return void response.destroy()
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    finish(provider, request, response).catch(() => response.writeHead(500).end())
  })
  server.on('connection', (socket) => {
    if (provider === null) socket.on('error', () => undefined).resetAndDestroy()
  })
  // Only the other side ends a connection that is idle: one that this side ends may be in use again at that very moment.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function finish(
    ...[asked, request, response]: [Provider, ...Parameters<Provider['interactionDetails']>]
  ) {
    const { person } = issuer
    const { prompt } = await asked.interactionDetails(request, response)
    // Asked of every native client, whatever was granted.
    if (prompt.name === 'consent')
      return await asked.interactionFinished(
        request,
        response,
        { consent: {} },
        { mergeWithLastSubmission: true },
      )
    if (person !== null) accounts.set(person.sub, person)
    const result =
      person === null
        ? { error: 'access_denied', error_description: 'turned away' }
        : { login: { accountId: person.sub, remember: false } }
    await asked.interactionFinished(request, response, result)
  }

  function createProvider(): Provider {
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })
    const made: Provider = new Provider(address, {
      jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: randomUUID() }] },
      cookies: { keys: [randomUUID()] },
      features: { devInteractions: { enabled: false } },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          // Of such a client, the port of a loopback address may be any.
          application_type: 'native',
          redirect_uris: [`http://127.0.0.1${prefix}/v1/session/oidc/callback`],
        },
      ],
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => accounts.get(sub) ?? { sub },
      }),
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      // Nobody is asked whether the client may know them.
      async loadExistingGrant(context: {
        oidc: { session: { accountId: string }; client: { clientId: string } }
      }) {
        const { session, client } = context.oidc
        const grant = new made.Grant({ accountId: session.accountId, clientId: client.clientId })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    return made
  }

  const issuer: OidcIssuer = {
    issuer: address,
    clientId,
    clientSecret,
    person: null,
    leave() {
      provider = null
      server.closeAllConnections()
    },
    comeBack() {
      provider = createProvider()
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  issuer.comeBack()
  return issuer
}
