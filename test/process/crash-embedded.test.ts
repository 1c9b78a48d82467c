import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../packages/service/src/db/index.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { isSoak } from '../harness/run/soak.js'
import type { TestDatabase } from '../harness/service/database.js'
import { answerChat, startTraffic } from '../harness/service/traffic.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let upstream: Upstream
let dataDir: string
let service: ServiceProcess | undefined

beforeAll(async () => {
  upstream = await startUpstream(answerChat)
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-crash-'))
  await chmod(dataDir, 0o755)
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await upstream.close()
  // A test that failed half-way has left the server running: joining it makes us the last to leave.
  if (existsSync(join(dataDir, 'postgres', 'postmaster.pid')))
    await (await startEmbeddedPostgres({ dataDir, log: () => undefined })).stop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = () =>
  startServiceProcess({
    TALLYSTICK_DATA_DIR: dataDir,
    TALLYSTICK_BOOTSTRAP_KEY: key,
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  })

const readServerPid = async () =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

test('a killed service finds its embedded database again, alive or killed with it, and no receipt is lost', async () => {
  const complete: string[] = []
  const rounds = isSoak
    ? (['service', 'service', 'both', 'service', 'both'] as const)
    : (['service', 'both'] as const)
  for (const killed of rounds) {
    service = await start()
    const serverPid = await readServerPid()
    const traffic = startTraffic(service.address, key, 8)
    await traffic.someMoment()
    if (killed === 'both') process.kill(serverPid, 'SIGKILL')
    await service.end('SIGKILL')
    await traffic.stop()
    complete.push(...traffic.complete)
    if (killed === 'service') expect(await readServerPid()).toBe(serverPid)
  }
  service = await start()
  expect(await service.end('SIGTERM')).toBe(0)

  const { fault, sealed, entries } = await readRecord()
  expect(fault).toBeNull()
  expect(sealed).toBe(entries.length)
  const recorded = new Set(entries.map(({ id }) => id))
  expect(complete.filter((id) => !recorded.has(id))).toEqual([])
})

async function readRecord() {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  const client = new pg.Client(postgres.url)
  await client.connect()
  const query: TestDatabase['query'] = async (text, values) => (await client.query(text, values)).rows
  const record = await verifyRecord({ url: postgres.url, query, drop: async () => undefined })
  await client.end()
  await postgres.stop()
  return record
}
