import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../packages/service/src/db/index.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import type { TestDatabase } from '../harness/service/database.js'
import { answerChat, startTraffic } from '../harness/service/traffic.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let upstream: Upstream
let dataDir: string
let service: ServiceProcess | undefined

beforeAll(async () => {
  upstream = await startUpstream(answerChat)
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-dies-'))
  await chmod(dataDir, 0o755)
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await upstream.close()
  await rm(dataDir, { recursive: true, force: true })
})

const pidFile = () => join(dataDir, 'postgres', 'postmaster.pid')
const describesRestart = ({
  status,
  body,
}: {
  status: number
  body: { checks: { database: { message?: string } } }
}) =>
  status === 503 &&
  /embedded Postgres has ended; it is being started again/.test(body.checks.database.message ?? '')
const killDatabase = async () =>
  process.kill(Number((await readFile(pidFile(), 'utf8')).split('\n')[0]), 'SIGKILL')

test('an embedded database that dies comes back by itself, and no receipt is lost; one that cannot ends the process with words', async () => {
  service = await startServiceProcess({
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  })
  const { address } = service
  const traffic = startTraffic(address, key, 4)
  await traffic.someMoment()
  await killDatabase()
  const output = service.output
  await waitFor('it to run again', () => output().includes('the embedded Postgres runs again'))
  const before = traffic.complete.length
  await waitFor('answers', () => traffic.complete.length > before + 10)
  await traffic.stop()
  expect((await createApi(address, key).get('/readyz')).status).toBe(200)

  // Without this file Postgres refuses to start.
  const version = join(dataDir, 'postgres', 'PG_VERSION')
  await rename(version, `${version}.away`)
  await killDatabase()
  await waitFor('the reason', async () => describesRestart(await createApi(address, key).get('/readyz')))
  await waitFor('words', () => /cannot be started again. See .*postgres\.log/.test(output()))
  // Already on its way out: the signal only waits for its end.
  expect(await service.end('SIGCONT')).toBe(1)
  await rename(`${version}.away`, version)

  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const client = new pg.Client(postgres.url)
  await client.connect()
  const query: TestDatabase['query'] = async (text, values) => (await client.query(text, values)).rows
  const { fault, entries } = await verifyRecord({ url: postgres.url, query, drop: async () => undefined })
  await client.end()
  await postgres.stop()
  expect(fault).toBeNull()
  const recorded = new Set(entries.map(({ id }) => id))
  expect(traffic.complete.filter((id) => !recorded.has(id))).toEqual([])
})

test('every worker says why the embedded database is away, which only their supervisor knows', async () => {
  service = await startServiceProcess({
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    TALLYSTICK_WORKERS: '2',
  })
  const api = createApi(service.address, key)
  const ask = () => Promise.all(Array.from({ length: 8 }, () => api.get('/readyz')))
  const version = join(dataDir, 'postgres', 'PG_VERSION')
  await rename(version, `${version}.away`)
  await killDatabase()
  await waitFor('the reason from whichever worker answers', async () => (await ask()).every(describesRestart))
  await rename(`${version}.away`, version)
  await waitFor('both to be ready', async () => (await ask()).every(({ status }) => status === 200))
  expect(await service.end('SIGTERM')).toBe(0)
})
