import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { sendJson, startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { random } from '../harness/run/seed.js'
import { isSoak } from '../harness/run/soak.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { type Fleet, startFleet } from './attack/fleet.js'

// A replica dies between the end of a call and its receipt: what it had reserved must not be spent by others meanwhile.

const test = anyTest.skipIf(!hasRedis)

const rounds = isSoak ? 100 : 3
const callsPerRound = 400
const callers = 30
const limitNanos = 20_000_000
const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

// 2 USD per million tokens: about 170 calls use the budget up.
const nanosPerToken = 2_000

let upstream: Upstream
let database: TestDatabase
let redis: RedisServer
let folder: string
let fleet: Fleet
/** What the provider bills, by the name that the calls of a round carry. */
const billed = new Map<string, number>()

beforeAll(async () => {
  if (!hasRedis) return
  upstream = await startUpstream(async ({ body }, response) => {
    await pause(random() * 20)
    const used = Math.floor(random() * (body.max_tokens + 1))
    const usage = { prompt_tokens: 8, completion_tokens: used, total_tokens: 8 + used }
    const round = String(body.messages[0].content)
    billed.set(round, (billed.get(round) ?? 0) + usage.total_tokens * nanosPerToken)
    const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'x' } }]
    sendJson(response, 200, { id: 'c', object: 'chat.completion', model: 'm', usage, choices })
  })
  database = await createTestDatabase()
  redis = await startRedis()
  folder = await mkdtemp(join(tmpdir(), 'tallystick-killed-'))
  const config = join(folder, 'tallystick.yaml')
  await writeFile(
    config,
    `providers:
  vendor: { type: openai, baseUrl: "${upstream.url}/v1", apiKey: sk }
models:
  m: { provider: vendor, tokenizer: o200k, contextWindow: 8192, maxOutputTokens: 4096, price: { inputUsdPerMTok: 2, outputUsdPerMTok: 2 } }
`,
  )
  fleet = await startFleet(3, {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    TALLYSTICK_BOOTSTRAP_KEY: managerKey,
    TALLYSTICK_CONFIG: config,
    TALLYSTICK_LOG_LEVEL: 'fatal',
  })
})
afterAll(async () => {
  if (!hasRedis) return
  await fleet.stop()
  await upstream.close()
  await redis.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function attack(round: number): Promise<string> {
  const manage = createApi(fleet.anyAddress(), managerKey)
  const { body: key } = await manage.post('/v1/keys', { name: `round ${round}` })
  const budget = { name: `Round ${round}`, scope: { type: 'key', id: key.id }, amountUsd: limitNanos / 1e9 }
  expect((await manage.post('/v1/budgets', budget)).status).toBe(201)
  const dispatcher = new Agent({ pipelining: 0, connections: null })
  const call = async () => {
    const response = await fetch(`${fleet.anyAddress()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'm',
        max_tokens: 1 + Math.floor(random() * 200),
        messages: [{ role: 'user', content: `round ${round}` }],
      }),
      dispatcher,
    })
    await response.text()
    return response.status
  }
  const statuses: (number | null)[] = []
  let left = callsPerRound
  const caller = async () => {
    // In any case until it was an attack.
    while (left-- > 0 || !statuses.includes(402)) statuses.push(await call().catch(() => null))
  }
  const calling = Promise.all(Array.from({ length: callers }, caller))
  // In the middle of the spending: later there would be nothing to give back.
  const before = upstream.seen.length
  const enough = 20 + Math.floor(random() * 100)
  await waitFor('some calls at the provider', () => upstream.seen.length >= before + enough)
  await fleet.killOne()
  await calling
  await dispatcher.close()
  // It was an attack: some were served, and some had no room.
  expect(statuses).toContain(200)
  expect(statuses).toContain(402)
  return key.id
}

test(
  `${rounds} rounds of ${callsPerRound} calls on three replicas, one of which is killed, never pass the budget`,
  async () => {
    const keys: string[] = []
    for (let round = 0; round < rounds; round++) keys.push(await attack(round))
    await waitFor(
      'what the dead replicas left to be recorded',
      async () => (await database.query('select from open_calls limit 1')).length === 0,
    )
    const rows = await database.query<{ key: string; spent: string }>(
      `select canonical::jsonb ->> 'key' as key, sum((canonical::jsonb ->> 'costNanos')::bigint) as spent
       from receipts where canonical::jsonb ->> 'kind' = 'model' group by 1`,
    )
    const spent = new Map(rows.map((row) => [row.key, Number(row.spent)]))
    for (const [round, key] of keys.entries()) {
      const bill = billed.get(`round ${round}`) ?? 0
      expect(spent.get(key), `recorded in round ${round}`).toBeLessThanOrEqual(limitNanos)
      expect(bill, `billed in round ${round}`).toBeLessThanOrEqual(spent.get(key) ?? 0)
    }
  },
  // Beyond the usual time: a soak has many rounds.
  (20 + rounds) * 60_000,
)
