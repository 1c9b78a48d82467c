import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createPlainServer } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServiceProcess } from '../harness/processes/process.js'
import { createEndpoint } from '../harness/reporting/webhooks.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

// Vouches for itself, at 127.0.0.1, for a hundred years.
const file = (name: string) => fileURLToPath(new URL(`../harness/tls/${name}.pem`, import.meta.url))
const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let receiver: Server
let url: string
let taken = 0
let proxied = 0
let database: TestDatabase
let dataDir: string
const proxy = createPlainServer(() => proxied++).on('connect', () => proxied++)

beforeAll(async () => {
  receiver = createServer(
    { cert: readFileSync(file('certificate')), key: readFileSync(file('key')) },
    (_, response) => {
      taken++
      response.writeHead(204).end()
    },
  )
  receiver.listen(0, '127.0.0.1')
  proxy.listen(0, '127.0.0.1')
  await Promise.all([once(receiver, 'listening'), once(proxy, 'listening')])
  url = `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-production-'))
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  proxy.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** A test of an endpoint in a service of its own, and what it answered. */
async function tryOut(env: Record<string, string>) {
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const service = await startServiceProcess({
    DATABASE_URL: database.url,
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: managerKey,
    NODE_ENV: 'production',
    TALLYSTICK_ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
    HTTPS_PROXY: proxyUrl,
    HTTP_PROXY: proxyUrl,
    NODE_USE_ENV_PROXY: '1',
    ...env,
  })
  try {
    const api = createApi(service.address, managerKey)
    const { id } = await createEndpoint(api, { url })
    return (await api.post(`/v1/webhook-endpoints/${id}/test`)).body
  } finally {
    await service.end('SIGTERM')
  }
}

test('in production deliveries go over TLS, to where the operator allows, and never through a proxy to this machine', async () => {
  expect(await tryOut({ NODE_EXTRA_CA_CERTS: file('certificate') })).toEqual({ delivered: true, error: null })
  expect(taken).toBe(1)
  expect(proxied).toBe(0)
})

test('a certificate that nobody vouches for is refused', async () => {
  expect(await tryOut({})).toEqual({
    delivered: false,
    error: 'The TLS connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
  })
  expect(taken).toBe(1)
})
