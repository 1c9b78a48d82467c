import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Json = Record<string, unknown>

/** Where this issuer departs from an honest one. Each function gets the honest value and returns what is sent instead. */
export interface Lies {
  metadata(honest: Json): Json
  /** What the browser brings back to the service. */
  callback(honest: URLSearchParams): void
  header(honest: Json): Json
  claims(honest: Json): Json
  /** The compact serialization of the ID token; the default signs with `signer`. */
  token(header: Json, claims: Json): string
  signer: Signer
  tokenAnswer(honest: Json): Json
  /** Null: the issuer has no such endpoint and says so. */
  userinfo(honest: Json): Json | null
  /** Answers for the issuer at a path; true where it did. */
  answer(path: string, response: ServerResponse): boolean
  keys: Json[]
  /** Whether a code can be used again. */
  acceptsUsedCodes: boolean
}

export interface Signer {
  kid: string
  alg: 'RS256' | 'ES256'
  privateKey: KeyObject
  publicKey: KeyObject
  publicJwk: Json
}

export interface LyingIssuer {
  issuer: string
  clientId: string
  clientSecret: string
  /** The key that it signs with while it is honest. */
  signer: Signer
  /** Replaced by honest behaviour with `behave`. */
  lies: Lies
  /** Behaves honestly from now on, for the next person, except for these lies. */
  behave(account: Json, lies?: Partial<Lies>): void
  /** The paths that were asked for, with what was posted. */
  requests: { path: string; body: string }[]
  stop(): Promise<void>
}

/** An OpenID Connect issuer that signs in everybody at once, and lies wherever a test tells it to. */
export async function startLyingIssuer(): Promise<LyingIssuer> {
  const signer = createSigner('RS256')
  const codes = new Map<string, Json>()
  const usedCodes = new Set<string>()
  let account: Json = { sub: 'nobody' }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', address)
    const body = await text(request)
    issuer.requests.push({ path: url.pathname, body })
    const { lies } = issuer
    if (lies.answer(url.pathname, response)) return
    const sendJson = (json: unknown, status = 200) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return sendJson(lies.metadata(honestMetadata(address)))
      case '/jwks':
        return sendJson({ keys: lies.keys })
      case '/authorize':
        return void response.writeHead(302, { location: authorize(url.searchParams).href }).end()
      case '/token':
        return sendJson(...redeem(new URLSearchParams(body)))
      case '/userinfo':
        return sendJson(lies.userinfo({ ...account }) ?? {})
      default:
        return void response.writeHead(404).end()
    }
  }

  function authorize(asked: URLSearchParams): URL {
    const code = randomUUID()
    codes.set(code, { nonce: asked.get('nonce') })
    const back = new URL(asked.get('redirect_uri') ?? '')
    const answered = new URLSearchParams({ code, state: asked.get('state') ?? '' })
    issuer.lies.callback(answered)
    back.search = answered.toString()
    return back
  }

  function redeem(posted: URLSearchParams): [Json, number] {
    const { lies } = issuer
    const code = posted.get('code') ?? ''
    const granted = codes.get(code)
    if (granted === undefined || (usedCodes.has(code) && !lies.acceptsUsedCodes))
      return [{ error: 'invalid_grant' }, 400]
    usedCodes.add(code)
    const now = Math.floor(Date.now() / 1_000)
    const claims = lies.claims({
      iss: address,
      aud: issuer.clientId,
      iat: now,
      exp: now + 300,
      nonce: granted.nonce,
      ...account,
    })
    const header = lies.header({ alg: lies.signer.alg, kid: lies.signer.kid, typ: 'JWT' })
    return [
      lies.tokenAnswer({
        access_token: 'the access token',
        token_type: 'Bearer',
        expires_in: 300,
        id_token: lies.token(header, claims),
      }),
      200,
    ]
  }

  const honest = (): Lies => ({
    metadata: (metadata) => metadata,
    callback: () => undefined,
    header: (header) => header,
    claims: (claims) => claims,
    token: (header, claims) => signToken(header, claims, issuer.lies.signer),
    signer,
    tokenAnswer: (tokens) => tokens,
    userinfo: (claims) => claims,
    answer: () => false,
    keys: [signer.publicJwk],
    acceptsUsedCodes: false,
  })

  const issuer: LyingIssuer = {
    issuer: address,
    clientId: 'tallystick',
    clientSecret: 'the secret of the client, long enough',
    signer,
    lies: honest(),
    behave(next, lies = {}) {
      account = next
      issuer.lies = { ...honest(), ...lies }
      issuer.requests.length = 0
    },
    requests: [],
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return issuer
}

const honestMetadata = (address: string): Json => ({
  issuer: address,
  authorization_endpoint: `${address}/authorize`,
  token_endpoint: `${address}/token`,
  userinfo_endpoint: `${address}/userinfo`,
  jwks_uri: `${address}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  // What an issuer says it may use is not what is accepted of it.
  id_token_signing_alg_values_supported: ['RS256', 'ES256', 'HS256', 'none', 'XS256'],
})

export function createSigner(alg: Signer['alg'], kid: string = randomUUID()): Signer {
  const { privateKey, publicKey } =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicJwk = { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }
  return { kid, alg, privateKey, publicKey, publicJwk }
}

export const signToken = (header: Json, claims: Json, { privateKey }: Pick<Signer, 'privateKey'>): string =>
  serialize(header, claims, (input) =>
    sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  )

export const signTokenWithSecret = (header: Json, claims: Json, secret: string | Buffer): string =>
  serialize(header, claims, (input) => createHmac('sha256', secret).update(input).digest())

export function serialize(header: Json, claims: Json, signed: (input: string) => Buffer): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${encode(header)}.${encode(claims)}`
  return `${input}.${signed(input).toString('base64url')}`
}
