import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../../../packages/service/src/db/index.js'
import { replaceLostMasterKey } from '../../../packages/service/src/secrets/index.js'
import { sendJson, startUpstream, type Upstream } from '../../harness/providers/upstream.js'
import { createEndpoint, makeViolations, waitForDelivery } from '../../harness/reporting/webhooks.js'
import { waitFor } from '../../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.js'
import { startTestService, type TestService } from '../../harness/service/service.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function startOn(
  database: TestDatabase,
  {
    dataDir,
    managerKey = '',
    env = {},
  }: { dataDir?: string; managerKey?: string; env?: Record<string, string> } = {},
): Promise<TestService & { folder: string }> {
  const folder = dataDir ?? (await makeFolder())
  const service = await startTestService({ database, dataDir: folder, managerKey, env })
  return { ...service, folder }
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-data-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function makeDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  closing.push(database.drop)
  return database
}

async function receive(answer: unknown = {}): Promise<Upstream> {
  const receiver = await startUpstream((_, response) => sendJson(response, 200, answer))
  closing.push(receiver.close)
  return receiver
}

/** Every value of every column of every table, as the database prints it. */
async function dump(database: TestDatabase): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => database.query<{ row: string }>(`select t::text as row from ${name} t`)),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

/** As text, and as the bytes of it, which the database prints in hex. */
const traces = (secret: string) => {
  const decoded = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return [secret, secret.replace('whsec_', ''), Buffer.from(secret).toString('hex'), decoded.toString('hex')]
}

const newPolicy = (url: string, onError = 'block') => ({
  name: `Guardrail ${onError}`,
  kind: 'http',
  config: { url, onError, timeoutMs: 10_000 },
})
const hello = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] }

const isSignedWith = (secret: string, receiver: Upstream, nth: number) => {
  const seen = receiver.seen[nth]
  const signature = String(seen?.headers['x-tallystick-signature'])
  const time = /^t=(\d+)/.exec(signature)?.[1]
  return signature.includes(createHmac('sha256', secret).update(`${time}.${seen?.raw}`).digest('hex'))
}

test('no secret that was shown can be found in the database, in any spelling', async () => {
  const database = await makeDatabase()
  const service = await startOn(database)
  const receiver = await receive({ violation: false })
  const endpoint = await createEndpoint(service.api, { url: receiver.url })
  const { body: rotated } = await service.api.post(`/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, {})
  const { body: policy } = await service.api.post('/v1/policies', newPolicy(receiver.url))
  const { body: rotatedPolicy } = await service.api.post(`/v1/policies/${policy.id}/rotate-secret`)
  await service.api.post(`/v1/webhook-endpoints/${endpoint.id}/test`)
  await service.api.post('/v1/chat/completions', hello)
  for (const secret of [endpoint.secret, rotated.secret]) expect(isSignedWith(secret, receiver, 0)).toBe(true)
  expect(isSignedWith(rotatedPolicy.secret, receiver, 1)).toBe(true)
  expect(isSignedWith(policy.secret, receiver, 1)).toBe(false)

  const everything = await dump(database)
  expect(everything).toContain(endpoint.id)
  for (const { secret } of [endpoint, rotated, policy, rotatedPolicy]) {
    expect(secret).toMatch(/^whsec_/)
    for (const trace of traces(secret)) expect(everything).not.toContain(trace)
  }
  const audit = JSON.stringify((await service.api.get('/v1/audit-log?limit=200')).body)
  expect(audit).toContain('policy.rotate_secret')
  expect(audit).not.toContain('whsec_')
  await service.stop()
})

test('with a lost master key all but the secrets works, nothing is sent unsigned, and a new secret mends it', async () => {
  const database = await makeDatabase()
  const receiver = await receive()
  const guardrail = await receive({ violation: false })
  const first = await startOn(database)
  const endpoint = await createEndpoint(first.api, { url: receiver.url })
  const { body: policy } = await first.api.post('/v1/policies', newPolicy(guardrail.url, 'allow'))
  await first.stop()
  const sealed = () => database.query('select id, sealed_secret from webhook_endpoints')
  const before = await sealed()

  const lost = await startOn(database, { managerKey: first.managerKey })
  const { body: shown } = await lost.api.get(`/v1/webhook-endpoints/${endpoint.id}`)
  expect(shown).toMatchObject({ id: endpoint.id, secretStatus: 'undecryptable' })
  expect((await lost.api.get('/v1/webhook-endpoints')).body.data).toMatchObject([
    { secretStatus: 'undecryptable' },
  ])
  expect((await lost.api.get(`/v1/policies/${policy.id}`)).body.secretStatus).toBe('undecryptable')
  expect((await lost.api.post(`/v1/webhook-endpoints/${endpoint.id}/test`)).body).toEqual({
    delivered: false,
    error: expect.stringContaining('cannot be decrypted'),
  })
  await (await makeViolations(lost)).violate()
  const waiting = await waitForDelivery(lost.api, endpoint.id, 'retrying')
  expect(waiting.error).toContain('cannot be decrypted')
  expect(waiting.nextAttemptAt).not.toBeNull()
  expect(receiver.seen).toHaveLength(0)
  // `onError: allow` is about the guardrail's own failures.
  const blocked = await lost.api.post('/v1/chat/completions', hello)
  expect(blocked.status).toBe(403)
  expect(blocked.body.error.message).toContain('its secret cannot be decrypted')
  expect(guardrail.seen).toHaveLength(0)
  // Without a key there is nothing to seal with; what needs no secret works.
  expect((await lost.api.post(`/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, {})).status).toBe(503)
  expect((await lost.api.patch(`/v1/webhook-endpoints/${endpoint.id}`, { name: 'Renamed' })).status).toBe(200)
  expect(await sealed()).toEqual(before)
  await lost.stop()

  const env = { TALLYSTICK_MASTER_KEY: randomBytes(32).toString('base64') }
  const opened = openDatabase(database.url, () => undefined)
  await replaceLostMasterKey(opened.db, { dataDir: '', configured: env.TALLYSTICK_MASTER_KEY })
  await opened.close()
  const mended = await startOn(database, { managerKey: first.managerKey, env })
  const { body: rotated } = await mended.api.post(`/v1/webhook-endpoints/${endpoint.id}/rotate-secret`, {})
  expect(rotated).toMatchObject({ secretStatus: 'ok', secret: expect.stringMatching(/^whsec_/) })
  expect((await mended.api.post(`/v1/webhook-endpoints/${endpoint.id}/test`)).body.delivered).toBe(true)
  // What waited is sent, signed with the new secret.
  await mended.api.post(`/v1/webhook-endpoints/${endpoint.id}/deliveries/${waiting.id}/retry`)
  await waitFor('the delivery that waited', () =>
    receiver.seen.some(({ headers }) => headers['x-tallystick-delivery-id'] === waiting.id),
  )
  for (const nth of receiver.seen.keys()) expect(isSignedWith(rotated.secret, receiver, nth)).toBe(true)
  expect((await mended.api.post(`/v1/policies/${policy.id}/rotate-secret`)).body.secretStatus).toBe('ok')
  expect((await mended.api.post('/v1/chat/completions', hello)).status).toBe(200)
  expect(guardrail.seen).toHaveLength(1)
  await mended.stop()
})

test('a sealed secret that was moved to another endpoint signs nothing there', async () => {
  const database = await makeDatabase()
  const service = await startOn(database)
  const receiver = await receive()
  const one = await createEndpoint(service.api, { url: receiver.url })
  const other = await createEndpoint(service.api, { url: receiver.url })
  await database.query(
    `update webhook_endpoints set sealed_secret = (select sealed_secret from webhook_endpoints where id = $1) where id = $2`,
    [one.id, other.id],
  )
  expect((await service.api.get(`/v1/webhook-endpoints/${other.id}`)).body.secretStatus).toBe('undecryptable')
  expect((await service.api.post(`/v1/webhook-endpoints/${other.id}/test`)).body.delivered).toBe(false)
  expect(receiver.seen).toHaveLength(0)
  await service.stop()
})
