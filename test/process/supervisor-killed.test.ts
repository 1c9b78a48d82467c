import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { sendJson, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

// The process that counts the limits of all workers dies.

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const tokensPerCall = 100
const nanosPerToken = 1_000

let upstream: Upstream
let database: TestDatabase
let folder: string
let service: ServiceProcess
/** Calls at the provider wait for this. */
let answered: Promise<unknown>

const start = (workers: number) =>
  startServiceProcess(
    {
      DATABASE_URL: database.url,
      TALLYSTICK_DATA_DIR: folder,
      TALLYSTICK_CONFIG: join(folder, 'tallystick.yaml'),
      TALLYSTICK_BOOTSTRAP_KEY: key,
    },
    ['--workers', String(workers)],
  )

beforeEach(async () => {
  answered = Promise.resolve()
  upstream = await startUpstream(async (_, response) => {
    await answered
    const usage = { prompt_tokens: 1, completion_tokens: tokensPerCall, total_tokens: tokensPerCall + 1 }
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } }]
    sendJson(response, 200, { id: 'c', object: 'chat.completion', model: 'm', usage, choices })
  })
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'tallystick-supervisor-'))
  await writeFile(
    join(folder, 'tallystick.yaml'),
    `providers:
  vendor: { type: openai, baseUrl: "${upstream.url}/v1", apiKey: sk }
models:
  m: { provider: vendor, contextWindow: 8192, maxOutputTokens: 4096, price: { inputUsdPerMTok: 0, outputUsdPerMTok: 1 } }
`,
  )
  service = await start(2)
})
afterEach(async () => {
  await service.killAll()
  await upstream.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const call = () =>
  createApi(service.address, key, { connection: 'close' }).post('/v1/chat/completions', {
    model: 'm',
    max_tokens: tokensPerCall,
    messages: [{ role: 'user', content: 'x' }],
  })

const statusesOf = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, call))).map(({ status }) => status).sort()

/** A budget for this many calls. Each uses exactly what is reserved for it. */
async function createBudget(calls: number): Promise<void> {
  const amountUsd = (calls * tokensPerCall * nanosPerToken) / 1e9
  const budget = { name: 'All', scope: { type: 'tenant' }, amountUsd, period: 'total' }
  expect((await createApi(service.address, key).post('/v1/budgets', budget)).status).toBe(201)
}

test.each([1, 2])(
  'workers end with their supervisor when it is killed, and the next start with --workers %s records and counts their calls',
  async (workers) => {
    await createBudget(10)
    expect(await statusesOf(5)).toEqual(Array(5).fill(200))
    // Never, until the end of the test.
    answered = new Promise(() => undefined)
    const cutOff = expect(call()).rejects.toThrow()
    await waitFor('the call at the provider', () => upstream.seen.length === 6)
    const pids = await service.workers()
    expect(pids).toHaveLength(2)
    await service.end('SIGKILL')
    await cutOff
    await waitFor('the end of the workers', () => !pids.some(isRunning))

    answered = Promise.resolve()
    service = await start(workers)
    // The next start has recorded it, without waiting until heartbeats are missed.
    expect(await database.query('select * from open_calls')).toEqual([])
    const statuses = await statusesOf(12)
    expect(statuses).toEqual([...Array(4).fill(200), ...Array(8).fill(402)])
    const { fault, receipts } = await verifyRecord(database)
    expect(fault).toBeNull()
    const countOf = (outcome: string) => receipts.filter((receipt) => receipt.outcome === outcome).length
    expect([countOf('ok'), countOf('interrupted')]).toEqual([9, 1])
  },
)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
