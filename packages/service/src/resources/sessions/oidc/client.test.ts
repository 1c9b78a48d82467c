import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LyingIssuer, startLyingIssuer } from '../../../../../../test/harness/access/malicious-issuer.js'
import { createOidcClient } from './client.js'

type Json = Record<string, unknown>

let issuer: LyingIssuer
let other: LyingIssuer

beforeAll(async () => {
  issuer = await startLyingIssuer()
  other = await startLyingIssuer()
})
afterAll(async () => {
  await issuer.stop()
  await other.stop()
})

const redirectUri = 'http://127.0.0.1:7070/v1/session/oidc/callback'
const account = { sub: 'ada', email: 'ada@example.com', email_verified: true, groups: [] }
const newClient = () => createOidcClient({ ...issuer, scopes: 'openid', groupsClaim: 'groups' })

/** Signs in as a browser would, and returns whom the client takes the person for. */
async function signIn(client = newClient()) {
  const { url, checks } = await client.start(redirectUri)
  const answer = await fetch(url, { redirect: 'manual' })
  return await client.finish(new URL(answer.headers.get('location') ?? '').search, checks)
}

test.each<[string, (address: string) => Json, string]>([
  ['another issuer', () => ({ issuer: 'https://issuer.example' }), 'answer_not_valid'],
  ['an issuer for every tenant', () => ({ issuer: 'https://issuer.example/{tenantid}' }), 'answer_not_valid'],
  ['no issuer', () => ({ issuer: undefined }), 'answer_not_valid'],
  ['no token endpoint', () => ({ token_endpoint: undefined }), 'issuer_unreachable'],
  ['no keys', () => ({ jwks_uri: undefined }), 'issuer_unreachable'],
  [
    'a script as authorization endpoint',
    () => ({ authorization_endpoint: 'javascript:alert(1)' }),
    'issuer_unreachable',
  ],
  [
    'an authorization endpoint by plain HTTP',
    () => ({ authorization_endpoint: 'http://issuer.example/' }),
    'issuer_unreachable',
  ],
  [
    'a token endpoint by plain HTTP',
    () => ({ token_endpoint: 'http://issuer.example/' }),
    'issuer_unreachable',
  ],
  ['keys by plain HTTP', () => ({ jwks_uri: 'http://issuer.example/' }), 'issuer_unreachable'],
  ['keys of another issuer', (address) => ({ jwks_uri: `${address}/jwks` }), 'answer_not_valid'],
])('metadata with %s: refused', async (_, changed, problem) => {
  issuer.behave(account, { metadata: (honest) => ({ ...honest, ...changed(other.issuer) }) })
  await expect(signIn()).rejects.toMatchObject({ problem })
})

test('endpoints may be elsewhere: the issuer says so itself, and signs what they return', async () => {
  issuer.behave(account, {
    metadata: (honest) => ({ ...honest, userinfo_endpoint: `${other.issuer}/userinfo` }),
    claims: ({ email: _, email_verified: __, ...rest }) => rest,
  })
  other.behave({ ...account, email: 'ada@elsewhere.example' })
  expect(await signIn()).toMatchObject({ subject: 'ada', email: 'ada@elsewhere.example' })
})

test('metadata without end is given up', async () => {
  issuer.behave(account, {
    answer: (path, response) => {
      if (!path.startsWith('/.well-known/')) return false
      response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(2 * 1024 * 1024))
      return true
    },
  })
  await expect(signIn()).rejects.toMatchObject({ problem: 'issuer_unreachable' })
})

test('metadata is kept between sign-ins, and read again after a failure of the issuer', async () => {
  const client = newClient()
  const readings = () => issuer.requests.filter(({ path }) => path.startsWith('/.well-known/')).length
  issuer.behave(account)
  await signIn(client)
  await signIn(client)
  expect(readings()).toBe(1)
  issuer.behave(account, { answer: (path, response) => path === '/jwks' && !!response.destroy() })
  await expect(signIn(client)).rejects.toMatchObject({ problem: 'issuer_unreachable' })
  issuer.behave(account)
  expect(await signIn(client)).toMatchObject({ subject: 'ada' })
  expect(readings()).toBe(1)
})
