import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type OAuthServer, startOAuthServer } from '../../../../../test/harness/mcp/oauth-server.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { openDatabase } from '../../db/index.js'
import { createOutbound } from '../../outbound/index.js'
import { createCredentialStores } from '../../resources/mcp-credentials/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import { createTenant } from '../../resources/tenants/index.js'
import { openSecrets } from '../../secrets/index.js'
import { createUserCredentials } from './index.js'

let closing: (() => Promise<unknown>)[]
let database: TestDatabase
let dataDir: string
let oauth: OAuthServer
let tenantId: string
let server: ToolServer
let clientSecret: string | null
let tenants = 0

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-oauth-'))
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})
beforeEach(async () => {
  oauth = await startOAuthServer()
  closing = [oauth.close]
  const opened = openDatabase(database.url, () => undefined)
  tenantId = (await createTenant(opened.db, `tenant-${++tenants}`)).id
  await opened.close()
  clientSecret = null
  server = {
    ...{ id: 'file:wiki', tenantId, name: 'wiki', transport: { type: 'http', url: oauth.url } },
    ...{ auth: { type: 'oauth', clientId: null, scopes: [] }, enabled: true, open: true, priceNanos: 0 },
    ...{
      rpmLimit: null,
      limitsSince: 0,
      timeoutMs: 1_000,
      maxResultBytes: 1_000,
      resources: [],
      prompts: [],
      tools: [],
    },
  }
  // The clock stands still, but where a test moves it.
  inSeconds(0)
})
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.toReversed()) await close()
})

type Replica = Awaited<ReturnType<typeof startReplica>>

/** What one process of the service has, on the database that all share. */
async function startReplica() {
  const opened = openDatabase(database.url, () => undefined)
  const keys = openDatabase(database.url, () => undefined, { max: 2 })
  const secrets = await openSecrets({ db: keys.db, dataDir, configured: null, warn: () => undefined })
  const urlRules = { strict: false }
  const outbound = createOutbound(urlRules)
  const users = createUserCredentials({
    ...{ db: opened.db, outbound, urlRules, userAgent: 'test' },
    stores: createCredentialStores({ db: opened.db, secrets }),
    publicAddress: { origin: 'https://ai.example', prefix: '/tallystick' },
    findServer: async () => server,
    clientSecretOf: async () => clientSecret,
  })
  closing.push(opened.close, keys.close, outbound.close, users.close)
  return users
}

const actorOf = (userId: string) => ({ tenantId, userId, keyId: 'key_1', sessionId: null })
const ownerOf = (userId: string) => ({ ...actorOf(userId), session: null, authorization: null })

async function connect(users: Replica, userId = 'ada', documentUrl: string | null = null): Promise<void> {
  const link = new URLSearchParams((await users.connectPath(actorOf(userId), server)).split('?')[1]).get(
    'link',
  )
  const redirectUri = 'https://ai.example/tallystick/mcp/oauth/callback'
  const { url, cookie } = await users.flow.start(link ?? '', { redirectUri, documentUrl })
  const back = new URL(await oauth.consent(url.href, `${userId} at the vendor`))
  await users.flow.finish(back.searchParams, (name) => (name === cookie.name ? cookie.value : undefined))
  oauth.tokenRequests.length = 0
}

/** The account that a call of this user is made with. */
async function accountOf(users: Replica, userId = 'ada'): Promise<string | null> {
  const found = await users.readCredentialHeaders(server, ownerOf(userId))
  if ('failure' in found) throw new Error(found.failure)
  return oauth.accountOf(found.headers.authorization?.replace('Bearer ', '') ?? '')
}

async function failureOf(users: Replica, refused?: Record<string, string>) {
  const found = await users.readCredentialHeaders(server, ownerOf('ada'), refused)
  if ('headers' in found) throw new Error('there are headers')
  return found
}

const isConnected = async () =>
  (await database.query('select 1 from mcp_credentials where tenant_id = $1', [tenantId])).length > 0
const inSeconds = (seconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })

test('each user calls with what that user consented to', async () => {
  const users = await startReplica()
  await connect(users, 'ada')
  await connect(users, 'bob')
  expect(await accountOf(users, 'ada')).toBe('ada at the vendor')
  expect(await accountOf(users, 'bob')).toBe('bob at the vendor')
  await expect(accountOf(users, 'eve')).rejects.toThrow(
    /^Connect your account to MCP server wiki first: open https:/,
  )
})

test('a token is renewed before it ends, and what replaces the refresh token is used the next time', async () => {
  const users = await startReplica()
  await connect(users)
  expect(await accountOf(users)).toBe('ada at the vendor')
  expect(oauth.tokenRequests).toHaveLength(0)
  for (let renewals = 1; renewals <= 3; renewals++) {
    inSeconds(3_590)
    expect(await accountOf(users)).toBe('ada at the vendor')
    expect(await accountOf(users)).toBe('ada at the vendor')
    expect(oauth.tokenRequests).toHaveLength(renewals)
  }
  expect(new Set(oauth.tokenRequests.map((form) => form.get('refresh_token'))).size).toBe(3)
})

test('a refresh token that is not replaced is used again', async () => {
  oauth.behaviour.rotates = false
  const users = await startReplica()
  await connect(users)
  for (let renewals = 0; renewals < 2; renewals++) {
    inSeconds(3_590)
    expect(await accountOf(users)).toBe('ada at the vendor')
  }
  expect(new Set(oauth.tokenRequests.map((form) => form.get('refresh_token'))).size).toBe(1)
})

test('of two replicas with many calls, one renews, once', async () => {
  const replicas = await Promise.all([startReplica(), startReplica()])
  const [first] = replicas
  if (first) await connect(first)
  inSeconds(3_590)
  // The answer comes when the other replica asks, too, or waits for this one.
  oauth.behaviour.beforeToken = async () => {
    await waitFor('the other replica', async () => {
      const waiting = await database.query('select 1 from pg_locks where not granted')
      return waiting.length > 0 || oauth.tokenRequests.length > 1
    })
  }
  const calls = Array.from({ length: 40 }, (_, call) => accountOf(replicas[call % 2] as Replica))
  // The server revokes everything when a refresh token comes twice.
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['ada at the vendor']))
  expect(oauth.tokenRequests).toHaveLength(1)
})

test('many users renew at the same time without holding every connection', async () => {
  const users = await startReplica()
  const people = Array.from({ length: 30 }, (_, person) => `person ${person}`)
  for (const person of people) await connect(users, person)
  inSeconds(3_590)
  const accounts = await Promise.all(people.map((person) => accountOf(users, person)))
  expect(accounts).toEqual(people.map((person) => `${person} at the vendor`))
})

test('a consent that was withdrawn must be given again; its tokens are deleted', async () => {
  const users = await startReplica()
  await connect(users)
  oauth.revokeAll()
  inSeconds(3_590)
  const { failure, consentUrl } = await failureOf(users)
  expect(failure).toMatch(/^Your consent for MCP server wiki has ended: open https:/)
  expect(consentUrl).toMatch(/^https:\/\/ai\.example\/tallystick\/mcp\/oauth\/start\?link=[\w-]+$/)
  expect(await isConnected()).toBe(false)
  await connect(users)
  expect(await accountOf(users)).toBe('ada at the vendor')
})

test('while the authorization server fails, a token is used to its end, and nothing is deleted', async () => {
  const users = await startReplica()
  await connect(users)
  oauth.behaviour.answer = (path, response) => {
    if (path === '/token') response.writeHead(503).end('a body with a token in it')
    return path === '/token'
  }
  inSeconds(3_590)
  expect(await accountOf(users)).toBe('ada at the vendor')
  inSeconds(20)
  const { failure, consentUrl } = await failureOf(users)
  expect(failure).toBe(
    'Your access to MCP server wiki cannot be renewed now: The authorization server failed',
  )
  expect(consentUrl).toBeUndefined()
  oauth.behaviour.answer = () => false
  expect(await accountOf(users)).toBe('ada at the vendor')
})

test('a token that the server refuses is renewed; one that is refused at once again is not', async () => {
  oauth.behaviour.expiresIn = undefined
  const users = await startReplica()
  await connect(users)
  const first = await users.readCredentialHeaders(server, ownerOf('ada'))
  if ('failure' in first) throw new Error(first.failure)
  oauth.expireAccessTokens()
  inSeconds(60)
  const [one, two] = await Promise.all([
    users.readCredentialHeaders(server, ownerOf('ada'), first.headers),
    users.readCredentialHeaders(server, ownerOf('ada'), first.headers),
  ])
  expect(one).toEqual(two)
  expect(await accountOf(users)).toBe('ada at the vendor')
  expect(oauth.tokenRequests).toHaveLength(1)
  // A late word of the old one changes nothing.
  expect(await users.readCredentialHeaders(server, ownerOf('ada'), first.headers)).toEqual(one)
  const { failure } = await failureOf(users, 'headers' in one ? one.headers : {})
  expect(failure).toMatch(/refuses what your consent gave/)
  expect(oauth.tokenRequests).toHaveLength(1)
  expect(await isConnected()).toBe(true)
})

test('without a refresh token, a consent ends with its token', async () => {
  oauth.behaviour.givesRefreshToken = false
  const users = await startReplica()
  await connect(users)
  inSeconds(3_590)
  expect(await accountOf(users)).toBe('ada at the vendor')
  inSeconds(20)
  expect((await failureOf(users)).failure).toMatch(/has ended/)
  expect(oauth.tokenRequests).toHaveLength(0)
})

test('a client that the authorization server forgot is registered again with the next consent', async () => {
  const users = await startReplica()
  await connect(users)
  oauth.forgetClients()
  inSeconds(3_590)
  expect((await failureOf(users)).failure).toMatch(/has ended/)
  await connect(users)
  expect(oauth.registrations).toHaveLength(2)
  expect(await accountOf(users)).toBe('ada at the vendor')
})

test('a client that cannot register is known by the address of its document', async () => {
  oauth.behaviour.metadata = {
    registration_endpoint: undefined,
    client_id_metadata_document_supported: true,
  }
  const documentUrl = 'https://ai.example/tallystick/mcp/oauth/client.json'
  oauth.addClient(documentUrl, null)
  const users = await startReplica()
  await connect(users, 'ada', documentUrl)
  inSeconds(3_590)
  expect(await accountOf(users)).toBe('ada at the vendor')
  expect(oauth.tokenRequests.map((form) => form.get('client_id'))).toEqual([documentUrl])
})

test('the secret of a client that a manager set is the present one; what is wrong with it ends no consent', async () => {
  server = { ...server, auth: { type: 'oauth', clientId: 'given', scopes: [] } }
  oauth.addClient('given', 'old')
  clientSecret = 'old'
  const users = await startReplica()
  await connect(users)
  oauth.addClient('given', 'new')
  inSeconds(3_601)
  expect((await failureOf(users)).failure).toMatch(/cannot be renewed now: .*refused: invalid_client/)
  clientSecret = 'new'
  expect(await accountOf(users)).toBe('ada at the vendor')
  // Tokens of another client are of no use.
  server = { ...server, auth: { type: 'oauth', clientId: 'other', scopes: [] } }
  inSeconds(3_601)
  expect((await failureOf(users)).failure).toMatch(/has ended/)
})

test('a token goes nowhere but to the address that it was given for', async () => {
  const users = await startReplica()
  await connect(users)
  server = { ...server, transport: { type: 'http', url: `${oauth.origin}/elsewhere` } }
  expect((await failureOf(users)).failure).toMatch(/^Connect your account/)
  server = {
    ...server,
    transport: { type: 'http', url: oauth.url },
    auth: { type: 'header', header: 'x-token' },
  }
  expect((await failureOf(users)).failure).toMatch(/^Store your credential for MCP server wiki first/)
})

test('a row that was moved to another user opens for nobody', async () => {
  const users = await startReplica()
  await connect(users)
  await database.query(`update mcp_credentials set subject = 'user:eve' where tenant_id = $1`, [tenantId])
  await expect(accountOf(users, 'eve')).rejects.toThrow(/^Connect your account/)
})

test('a link that is too old begins nothing', async () => {
  const users = await startReplica()
  const link = (await users.connectPath(actorOf('ada'), server)).split('link=')[1] ?? ''
  inSeconds(901)
  await expect(
    users.flow.start(link, { redirectUri: 'https://ai.example/', documentUrl: null }),
  ).rejects.toThrow(/has expired/)
})
