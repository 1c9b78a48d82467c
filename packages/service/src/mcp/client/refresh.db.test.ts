import type { McpServer } from '@modelcontextprotocol/server'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OfficialMcpServer, startOfficialMcpServer } from '../../../../../test/harness/mcp/mcp-server.js'
import { closing, requestTo, startUpstreams } from '../../../../../test/harness/mcp/upstreams.js'
import { masterKey } from '../../../../../test/harness/processes/master-key.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/service/database.js'
import { listenForChanges, openDatabase } from '../../db/index.js'
import { type ConfiguredMcpServer, createMcpServers } from '../../resources/mcp-servers/index.js'
import { claimDueListings } from '../../resources/mcp-servers/tools/claim-listings.js'
import { createUpstreamSessions } from '../../resources/mcp-sessions/index.js'
import { openSecrets } from '../../secrets/index.js'
import { startRefreshing } from './refresh.js'
import type { UpstreamsOptions } from './upstreams.js'

const { opened, closeAll } = closing()
let database: TestDatabase
let tools: string[]
let official: OfficialMcpServer
const owner = { tenantId: 'ten_a', keyId: 'key_1', userId: null, session: null, authorization: null }

const build = (server: McpServer) => {
  for (const name of tools)
    server.registerTool(name, { inputSchema: fromJsonSchema({ type: 'object' }) }, async () => {
      server.sendToolListChanged()
      return { content: [{ type: 'text', text: name }] }
    })
}

beforeEach(async () => {
  database = await createTestDatabase()
  opened.push({ close: () => database.drop() })
  tools = ['first', 'second']
  official = await startOfficialMcpServer({ era: 'legacy', build })
  opened.push(official)
  for (const id of ['ten_a', 'ten_b'])
    await database.query('insert into tenants (id, name) values ($1, $1)', [id])
})
afterEach(closeAll)

async function addServer(id: string, settings: { auth?: object; tenantId?: string } = {}): Promise<void> {
  const { auth = { type: 'none' }, tenantId = 'ten_a' } = settings
  await database.query(
    `insert into mcp_servers (id, tenant_id, name, url, auth, timeout_ms, max_result_bytes)
     values ($1, $4, replace($1, '_', '-'), $2, $3, 30000, 1000000)`,
    [id, official.url, JSON.stringify(auth), tenantId],
  )
}

const toolsOf = async (id: string) =>
  (
    await database.query<{ name: string }>(
      'select name from mcp_tools where server_id = $1 and gone_at is null order by tenant_id, name',
      [id],
    )
  ).map(({ name }) => name)

const listingOf = async (id: string) =>
  (
    await database.query<{ status: string; status_message: string | null; refreshed_at: Date | null }>(
      'select status, status_message, refreshed_at from mcp_listings where server_id = $1 order by tenant_id',
      [id],
    )
  )[0]

interface ReplicaOptions {
  maxAgeMs?: number
  configured?: ConfiguredMcpServer[]
  upstreams?: Partial<UpstreamsOptions>
  demoTenant?: string
}

/** Everything that a replica has of its own. */
async function startReplica({ maxAgeMs, configured = [], ...options }: ReplicaOptions = {}) {
  const { db, close } = openDatabase(database.url, () => undefined)
  const changes = await listenForChanges(database.url, () => undefined)
  const secrets = await openSecrets({ db, dataDir: '', configured: masterKey, warn: () => undefined })
  const servers = createMcpServers({ db, changes, secrets, configured: () => configured })
  const upstreams = startUpstreams({
    servers,
    sessions: createUpstreamSessions({ db, secrets }),
    onListChanged: (server, of) => refreshing.onToolsChanged(server, of),
    onAnswer: (server, of) => refreshing.onAnswer(server, of),
    ...options.upstreams,
  })
  const refreshing = startRefreshing({
    servers,
    upstreams,
    changes,
    isDemo: async (tenantId) => tenantId === options.demoTenant,
    onError(error) {
      throw error
    },
    ...(maxAgeMs !== undefined && { maxAgeMs }),
    pollMs: 50,
  })
  opened.push({ close }, changes, upstreams, refreshing)
  const find = async (id: string) => {
    const server = (await servers.list('ten_a')).find((each) => each.id === id)
    if (!server) throw new Error(`no server ${id}`)
    return server
  }
  return { servers, upstreams, find }
}

test('a server is asked soon after it was set up, by one of the replicas', async () => {
  await Promise.all([startReplica(), startReplica(), startReplica()])
  await addServer('mcp_a')
  await waitFor('its tools', async () => (await toolsOf('mcp_a')).length === 2)
  expect(await listingOf('mcp_a')).toMatchObject({ status: 'ok', refreshed_at: expect.any(Date) })
  expect(official.seenOf('tools/list')).toHaveLength(1)
})

test('a server is asked again when its time has come, and when its settings change', async () => {
  await startReplica()
  await addServer('mcp_a')
  await waitFor('its tools', async () => (await toolsOf('mcp_a')).length === 2)
  tools = ['first', 'third']
  await database.query(`update mcp_listings set checked_at = now() - interval '6 minutes'`)
  await waitFor('the other tools', async () => (await toolsOf('mcp_a')).join() === 'first,third')
  tools = ['fourth']
  // A claim of a moment ago is respected, so a change is seen a few seconds later at most. Both at once: either alone makes it due.
  await database.query(`with asked as (update mcp_listings set checked_at = now() - interval '10 seconds')
    update mcp_servers set open = true, updated_at = clock_timestamp()`)
  await waitFor('the last of the tools', async () => (await toolsOf('mcp_a')).join() === 'fourth')
  expect(official.seenOf('tools/list')).toHaveLength(3)
})

test('of many who look at once, each server that is due is given to one', async () => {
  for (let i = 0; i < 30; i++) await addServer(`mcp_${i}`)
  const { db, close } = openDatabase(database.url, () => undefined)
  opened.push({ close })
  const looking = Array.from({ length: 10 }, () => claimDueListings(db, [], 300_000, 50))
  const claimed = (await Promise.all(looking)).flat().map(({ id }) => id)
  expect(claimed).toHaveLength(30)
  expect(new Set(claimed).size).toBe(30)
  expect(await claimDueListings(db, [], 300_000, 50)).toEqual([])
})

test('a session that was opened to list tools is ended', async () => {
  await startReplica()
  await addServer('mcp_a')
  await waitFor('its tools', async () => (await toolsOf('mcp_a')).length === 2)
  await waitFor('the end of the session', () => official.sessions() === 0)
})

test('a server that cannot be asked is failing, in words, and what it offered stays', async () => {
  await startReplica()
  await addServer('mcp_a')
  await waitFor('its tools', async () => (await toolsOf('mcp_a')).length === 2)
  official.intercept(() => new Response('down', { status: 503 }))
  await database.query(`update mcp_listings set checked_at = now() - interval '6 minutes'`)
  await waitFor('its failure', async () => (await listingOf('mcp_a'))?.status === 'failing')
  expect(await listingOf('mcp_a')).toMatchObject({ status_message: 'The server answered HTTP 503' })
  expect(await toolsOf('mcp_a')).toEqual(['first', 'second'])
})

test('a server that says that its tools changed is asked soon', async () => {
  const { upstreams, find } = await startReplica()
  await addServer('mcp_a')
  await waitFor('its tools', async () => (await toolsOf('mcp_a')).length === 2)
  const server = await find('mcp_a')
  tools = ['first', 'second', 'third']
  // In the stream of the answer, as stateless servers say it.
  official.intercept(({ body }) => {
    if (body?.method !== 'tools/call') return null
    const events = [
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
      { jsonrpc: '2.0', id: body.id, result: { content: [] } },
    ]
    return new Response(events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  })
  // At once: what is said more than ten seconds later counts again.
  await Promise.all(
    Array.from({ length: 20 }, () =>
      upstreams.request(requestTo(server, { owner, paramsJson: '{"name":"first","arguments":{}}' })),
    ),
  )
  await waitFor('the new tool', async () => (await toolsOf('mcp_a')).length === 3)
  expect(official.seenOf('tools/list')).toHaveLength(2)
})

test('a server that only users can ask is asked with the credential of one who called it, and loses no tools by that', async () => {
  const { upstreams, find, servers } = await startReplica({
    upstreams: { readCredentialHeaders: async (_, { keyId }) => ({ headers: { 'x-token': keyId } }) },
  })
  await addServer('mcp_a', { auth: { type: 'header', header: 'X-Token' } })
  const server = await find('mcp_a')
  await servers.keepListing(server, await upstreams.list(server, owner))
  expect(official.seenOf('tools/list')[0]?.headers['x-token']).toBe('key_1')
  tools = ['second', 'third']
  await database.query(`update mcp_listings set checked_at = now() - interval '6 minutes'`)
  const by = { ...owner, keyId: 'key_2' }
  await upstreams.request(requestTo(server, { owner: by, paramsJson: '{"name":"second","arguments":{}}' }))
  await waitFor('the new tool', async () => (await toolsOf('mcp_a')).join() === 'first,second,third')
  expect(official.seenOf('tools/list').map(({ headers }) => headers['x-token'])).toEqual(['key_1', 'key_2'])
})

test('a server of the file is asked once for all tenants', async () => {
  const configured: ConfiguredMcpServer = {
    name: 'shared',
    transport: { type: 'http', url: official.url },
    headers: { 'X-Shared': 'yes' },
    auth: { type: 'none' },
    clientSecret: null,
    tenants: null,
    open: true,
    pinning: 'block',
    priceNanos: 0,
    rpmLimit: null,
    timeoutMs: 30_000,
    maxResultBytes: 1_000_000,
    resources: [],
    prompts: [],
  }
  await startReplica({ configured: [configured] })
  await waitFor('the tools of both', async () => (await toolsOf('file:shared')).length === 4)
  const asked = official.seenOf('tools/list')
  expect(asked.map(({ headers }) => headers['x-shared'])).toEqual(['yes'])
})

test('servers that are made up, disabled or deleted are left alone', async () => {
  await addServer('mcp_a')
  await addServer('mcp_b')
  await database.query(`update mcp_servers set enabled = false where id = 'mcp_a'`)
  await database.query(`update mcp_servers set deleted_at = now() where id = 'mcp_b'`)
  await addServer('mcp_d', { tenantId: 'ten_b' })
  await startReplica({ demoTenant: 'ten_b' })
  await addServer('mcp_c')
  await waitFor('another', async () => (await toolsOf('mcp_c')).length === 2)
  for (const id of ['mcp_a', 'mcp_b', 'mcp_d']) expect(await toolsOf(id)).toEqual([])
  expect(official.seenOf('tools/list')).toHaveLength(1)
})

test('replicas share the session that a server gave, and agree on another when it is lost', async () => {
  await addServer('mcp_a', { auth: { type: 'header', header: 'X-Token' } })
  const replicas = await Promise.all([startReplica(), startReplica()])
  const [one, two] = replicas
  const callBy = async (replica: typeof one) => {
    const server = await replica?.find('mcp_a')
    if (!server) throw new Error('no server')
    const end = await replica?.upstreams.request(
      requestTo(server, { owner, paramsJson: '{"name":"first","arguments":{}}' }),
    )
    expect(end).toMatchObject({ type: 'result' })
  }
  const sessionsUsed = () =>
    new Set(official.seenOf('tools/call').map(({ headers }) => headers['mcp-session-id']))
  await callBy(one)
  await callBy(two)
  expect(sessionsUsed().size).toBe(1)
  official.forgetSessions()
  official.seen.length = 0
  await callBy(two)
  await callBy(one)
  await callBy(one)
  // The lost one, and the new one.
  expect(sessionsUsed().size).toBe(2)
  const rows = await database.query<{ sealed: Buffer }>('select sealed from mcp_sessions')
  expect(rows).toHaveLength(1)
  for (const id of sessionsUsed()) expect(rows[0]?.sealed.includes(String(id))).toBe(false)
})

test('the sessions of a caller end with its own, at the server too', async () => {
  await addServer('mcp_a')
  const { upstreams, find } = await startReplica()
  const server = await find('mcp_a')
  await waitFor('its tools', async () => (await toolsOf('mcp_a')).length === 2)
  await waitFor('the end of that session', () => official.sessions() === 0)
  for (const session of ['mine', 'others'])
    await upstreams.request(
      requestTo(server, { owner: { ...owner, session }, paramsJson: '{"name":"first","arguments":{}}' }),
    )
  expect(official.sessions()).toBe(2)
  await upstreams.endSession('ten_a', 'mine')
  await waitFor('the end of one', () => official.sessions() === 1)
  expect(await database.query('select owner from mcp_sessions')).toHaveLength(1)
  await upstreams.endSession('ten_b', 'others')
  expect(await database.query('select owner from mcp_sessions')).toHaveLength(1)
})
