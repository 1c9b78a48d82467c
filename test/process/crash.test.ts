import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { isSoak } from '../harness/run/soak.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { answerChat, startTraffic } from '../harness/service/traffic.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const kills = isSoak ? 20 : 3

let upstream: Upstream
let database: TestDatabase
let dataDir: string
let service: ServiceProcess | undefined

beforeAll(async () => {
  upstream = await startUpstream(answerChat)
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'tallystick-crash-'))
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await upstream.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

test(`after ${kills} kills at random moments under load, every complete answer has its receipt and the chain holds`, async () => {
  const complete: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    service = await startServiceProcess({
      DATABASE_URL: database.url,
      TALLYSTICK_DATA_DIR: dataDir,
      TALLYSTICK_BOOTSTRAP_KEY: key,
      OPENAI_API_KEY: 'sk-upstream',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
    })
    // At most content is lost, never a receipt.
    const setting = { mode: 'full' }
    const { status } = await createApi(service.address, key).put('/v1/settings/content-capture', setting)
    expect(status).toBe(200)
    const traffic = startTraffic(service.address, key, 8)
    await traffic.someMoment()
    // It is stored beside the calls, a little later.
    const isKept = async () => (await database.query('select from call_content limit 1')).length > 0
    if (kill === 0) await waitFor('content', isKept)
    expect(await service.end('SIGKILL')).toBe('SIGKILL')
    await traffic.stop()
    complete.push(...traffic.complete)
  }

  // Before the record, in which a killed one's last commit may still arrive.
  const kept = await database.query<{ request_id: string }>('select request_id from call_content')
  const { fault, sealed, entries } = await verifyRecord(database)
  expect(fault).toBeNull()
  expect(sealed).toBe(entries.length)
  const recorded = new Set(entries.map(({ id }) => id))
  expect(recorded.size).toBe(entries.length)
  expect(complete.filter((id) => !recorded.has(id))).toEqual([])
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.filter(({ request_id }) => !recorded.has(request_id))).toEqual([])
})
