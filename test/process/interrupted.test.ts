import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { waitFor, withinAMinute } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { answerChat, chatCall } from '../harness/service/traffic.js'

const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let upstream: Upstream
let database: TestDatabase
let dataDir: string
let service: ServiceProcess

// The guarantees are the same whether the process itself or a supervisor counts the limits.
describe.each(['1', '3'])('with --workers %s', (workers) => {
  const start = () =>
    startServiceProcess(
      {
        DATABASE_URL: database.url,
        TALLYSTICK_DATA_DIR: dataDir,
        TALLYSTICK_BOOTSTRAP_KEY: key,
        OPENAI_API_KEY: 'sk-upstream',
        OPENAI_BASE_URL: `${upstream.url}/v1`,
      },
      ['--workers', workers],
    )

  const call = (fields: object = {}) =>
    createApi(service.address, key).post('/v1/chat/completions', { ...chatCall(false), ...fields })

  /** Ended by the death of the service. */
  const callInVain = (fields?: object) => expect(call(fields)).rejects.toThrow()

  beforeAll(async () => {
    upstream = await startUpstream(answerChat)
  })
  beforeEach(async () => {
    database = await createTestDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'tallystick-interrupted-'))
    service = await start()
    return async () => {
      await service.killAll()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
      upstream.seen.length = 0
      upstream.answerWith(answerChat)
    }
  })
  afterAll(() => upstream.close())

  test('a call in the middle of which the process dies is recorded by the next start, at the price that was reserved', async () => {
    const api = createApi(service.address, key)
    const { body: budget } = await api.post('/v1/budgets', {
      name: 'All',
      scope: { type: 'tenant' },
      amountUsd: 1,
      period: 'monthly',
    })
    upstream.answerWith(() => undefined)
    const calls = Array.from({ length: 5 }, () => callInVain({ max_completion_tokens: 1_000 }))
    await waitFor('the calls at the provider', () => upstream.seen.length === 5)
    await service.killAll()
    await Promise.all(calls)

    service = await start()
    const { fault, receipts } = await verifyRecord(database)
    expect(fault).toBeNull()
    expect(receipts).toHaveLength(5)
    for (const receipt of receipts) {
      expect(receipt).toMatchObject({ outcome: 'interrupted', status: 500, outputTokens: 1_000 })
      // 1,000 output tokens of gpt-4o-mini at $0.60 per million, and the input at $0.15.
      expect(receipt.costNanos).toBe(600_000 + receipt.inputTokens * 150)
      expect(receipt.request).toMatch(/^[0-9a-f]{64}$/)
    }
    const sum = receipts.reduce((total, { costNanos }) => total + costNanos, 0)
    const { body } = await createApi(service.address, key).get(`/v1/budgets/${budget.id}`)
    expect(body).toMatchObject({ spentUsd: sum / 1e9, reservedUsd: 0 })
    expect(await database.query('select * from open_calls')).toEqual([])
  })

  test('a call that ended leaves nothing behind, and its receipt is the only one', async () => {
    for (let i = 0; i < 3; i++) expect((await call()).status).toBe(200)
    expect((await call({ model: 'no-such-model' })).status).toBe(404)
    await waitFor(
      'the end of the last',
      async () => (await database.query('select * from open_calls')).length === 0,
    )
    await service.killAll()
    service = await start()
    const { receipts } = await verifyRecord(database)
    expect(receipts.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok'])
  })

  test('after a restart the calls of the last minute still count against a rate limit', async () => {
    const statuses = await withinAMinute(async () => {
      const { body } = await createApi(service.address, key).post('/v1/keys', {
        name: 'Limited',
        rpmLimit: 5,
      })
      const ask = async () =>
        (await createApi(service.address, body.key).post('/v1/chat/completions', chatCall(false))).status
      const before = [await ask(), await ask(), await ask()]
      await service.killAll()
      service = await start()
      return [...before, await ask(), await ask(), await ask()]
    })
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('a second process on the same database is refused with words while the first serves, and let in when it is gone', async () => {
    await expect(start()).rejects.toThrow(/another process serves this database.*Set REDIS_URL/s)
    expect((await call()).status).toBe(200)
    await service.killAll()
    service = await start()
    expect((await call()).status).toBe(200)
  })
})
