import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, test as anyTest, beforeAll, expect } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { findFreePort, hasRedis, startRedis } from '../harness/processes/redis.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { hostsCertificate, hostsKey } from '../harness/tls/files.js'
import { startPostgresTls } from '../harness/tls/postgres-relay.js'

// Postgres and Redis by TLS, with certificates of an authority that only its own file vouches for.

const test = anyTest.skipIf(!hasRedis)
const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let database: TestDatabase
let postgres: Awaited<ReturnType<typeof startPostgresTls>>
let folder: string
let service: ServiceProcess | null = null

beforeAll(async () => {
  database = await createTestDatabase()
  postgres = await startPostgresTls(database.url)
  folder = await mkdtemp(join(tmpdir(), 'tallystick-tls-'))
})
afterEach(async () => {
  await service?.end('SIGTERM')
  service = null
})
afterAll(async () => {
  await postgres.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string>) {
  service = await startServiceProcess({
    TALLYSTICK_DATA_DIR: folder,
    TALLYSTICK_BOOTSTRAP_KEY: managerKey,
    ...env,
  })
  return createApi(service.address, managerKey)
}

const chat = { model: 'mock/echo', messages: [{ role: 'user', content: 'Hello' }] }

test('NODE_EXTRA_CA_CERTS makes Postgres and Redis trusted', async () => {
  const port = await findFreePort()
  const files = ['--tls-cert-file', hostsCertificate, '--tls-key-file', hostsKey]
  const redis = await startRedis(
    '--tls-port',
    String(port),
    ...files,
    '--tls-auth-clients',
    'no',
    '--tls-ca-cert-file',
    hostsCertificate,
  )
  const secured = postgres.secured()
  const api = await start({
    DATABASE_URL: postgres.urlWith('sslmode=verify-full'),
    REDIS_URL: `rediss://localhost:${port}`,
    NODE_EXTRA_CA_CERTS: hostsCertificate,
  })
  const { body: limited } = await api.post('/v1/keys', { name: 'limited', rpmLimit: 1 })
  const calls = createApi(service?.address ?? '', limited.key)
  expect((await calls.post('/v1/chat/completions', chat)).status).toBe(200)
  // The second one is refused by what Redis has counted.
  expect((await calls.post('/v1/chat/completions', chat)).status).toBe(429)
  expect(await redis.client.dbsize()).toBeGreaterThan(0)
  expect(postgres.secured()).toBeGreaterThan(secured)
  await service?.end('SIGTERM')
  await redis.close()
})

test('a file that DATABASE_URL names makes Postgres trusted', async () => {
  const api = await start({
    DATABASE_URL: postgres.urlWith(`sslmode=verify-full&sslrootcert=${hostsCertificate}`),
  })
  expect((await api.post('/v1/chat/completions', chat)).status).toBe(200)
})

test('a certificate of an unknown authority is refused', async () => {
  const starting = start({ DATABASE_URL: postgres.urlWith('sslmode=verify-full') })
  await expect(starting).rejects.toThrow(/self-signed certificate/)
})
