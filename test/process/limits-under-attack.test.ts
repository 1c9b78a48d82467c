import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { random } from '../harness/run/seed.js'
import { isSoak, soakSeconds } from '../harness/run/soak.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { type Fleet, startFleet, startWorkers } from './attack/fleet.js'
import { type MadeCall, startStorm } from './attack/storm.js'
import { answerAtRandom } from './attack/unreliable-provider.js'

const seconds = soakSeconds ?? 0
const replicas = 3
const callers = isSoak ? 240 : 100

const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const windowMs = 60_000
/** How long the limits take to be built anew once a death was noticed. */
const rebuiltMs = 4_000

let upstream: Upstream
let database: TestDatabase
let redis: RedisServer | null
let folder: string
let fleet: Fleet
/** When a replica was killed, and until when what it had admitted may count though nobody knows of it. */
let deaths: { fromMs: number; untilMs: number }[]

const manage = () => createApi(fleet.anyAddress(), managerKey)

/** Processes die, and Redis forgets, stops and comes back, while the callers go on. */
async function makeTrouble(isEnough: () => boolean | Promise<boolean>): Promise<void> {
  const untilMs = Date.now() + seconds * 1000
  const killOne = async () => {
    const death = { fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY }
    deaths.push(death)
    await fleet.killOne()
    await waitFor('its death to be noticed', async () => {
      const present = await database.query('select from processes where absent_since is null')
      return present.length === replicas
    })
    death.untilMs = Date.now() + rebuiltMs
  }
  const forget = async () => void (await redis?.client.flushall())
  const goAway = async () => {
    await redis?.kill()
    await pause(500)
    await redis?.restart()
  }
  const troubles = redis ? [killOne, forget, killOne, goAway] : [killOne, killOne]
  // Each trouble at least once, however short the attack is.
  for (let turn = 0; turn < troubles.length || Date.now() < untilMs; turn++) {
    await pause(Math.max(600, seconds * 50) + random() * 500)
    await troubles[turn % troubles.length]?.()
  }
  while (!(await isEnough())) await pause(500)
}

/** Storms for a while, and on a slow machine until it was an attack: a storm that fits the limits proves nothing. */
async function stormAs(
  key: string,
  isAttack: (made: readonly MadeCall[]) => boolean | Promise<boolean>,
): Promise<MadeCall[]> {
  const storm = startStorm({ callers, key, model: 'attack', address: fleet.anyAddress })
  await makeTrouble(() => isAttack(storm.made))
  await storm.stop()
  // What dead replicas left is taken care of within a minute.
  await waitFor(
    'the end of every call',
    async () => (await database.query('select from open_calls limit 1')).length === 0,
  )
  return storm.made
}

/** Each call that the provider saw, with the receipts that commit to its bytes. */
async function matchReceipts(made: readonly MadeCall[]) {
  const rows = await database.query<{ request_id: string; canonical: string; commitment_key: Buffer }>(
    `select request_id, canonical, commitment_key from receipts where canonical::json ->> 'kind' = 'model' order by seq`,
  )
  const receipts = rows.map((row) => ({ ...JSON.parse(row.canonical), commitmentKey: row.commitment_key }))
  const byId = new Map(made.flatMap((call) => (call.requestId === null ? [] : [[call.requestId, call]])))
  // A caller whose replica died, or who hung up, never heard the id: its bytes tell.
  const unheard = made.filter((call) => call.requestId === null)
  const commits = (receipt: { commitmentKey: Buffer; request: string }, { raw }: MadeCall) =>
    createHmac('sha256', receipt.commitmentKey).update(raw).digest('hex') === receipt.request
  // Those first that were under way when it was admitted: a long storm leaves tens of thousands.
  const findUnheard = (receipt: { ts: string; commitmentKey: Buffer; request: string }) => {
    const atMs = Date.parse(receipt.ts)
    const isNear = ({ fromMs, toMs }: MadeCall) => fromMs - 1_000 < atMs && atMs < toMs + 1_000
    return (
      unheard.find((call) => isNear(call) && commits(receipt, call)) ??
      unheard.find((call) => commits(receipt, call))
    )
  }
  const markers = receipts.map(
    (receipt) => (byId.get(receipt.id) ?? findUnheard(receipt))?.marker ?? 'none of the calls',
  )
  return { receipts, markers }
}

async function spentNanos(): Promise<number> {
  const [row] = await database.query<{ spent: string }>(
    `select coalesce(sum((canonical::json ->> 'costNanos')::bigint), 0) as spent from receipts`,
  )
  return Number(row?.spent)
}

const isNearDeath = ({ fromMs, toMs }: MadeCall) =>
  deaths.some((death) => fromMs < death.untilMs && toMs > death.fromMs)
const isRefusedForRequests = ({ refusal }: MadeCall) => refusal.includes('requests per minute')

async function expectOneReceiptEach(made: readonly MadeCall[]) {
  const { receipts, markers } = await matchReceipts(made)
  expect(new Set(markers).size).toBe(markers.length)
  const seen = upstream.seen.map(({ body }) => /m\d+-\d+-/.exec(body.messages[0].content)?.[0] ?? '')
  const recorded = new Set(markers)
  expect(seen.filter((marker) => !recorded.has(marker))).toEqual([])
  expect((await verifyRecord(database)).fault).toBeNull()
  return receipts
}

const placesOfLimits = {
  Redis: `${replicas} replicas that are killed, with a Redis that forgets and goes away`,
  supervisor: `${replicas} workers that are killed, with limits in their supervisor`,
}

describe.each(Object.entries(placesOfLimits).filter(([place]) => hasRedis || place !== 'Redis'))(
  `${callers} callers with limits in %s: %s`,
  (place) => {
    beforeEach(async () => {
      deaths = []
      upstream = await startUpstream(answerAtRandom)
      database = await createTestDatabase()
      redis = place === 'Redis' ? await startRedis() : null
      folder = await mkdtemp(join(tmpdir(), 'tallystick-attack-'))
      const config = join(folder, 'tallystick.yaml')
      await writeFile(
        config,
        `providers:
  attack: { type: openai, baseUrl: "${upstream.url}/v1", apiKey: sk-attack }
models:
  attack: { provider: attack, maxOutputTokens: 4096, price: { inputUsdPerMTok: 8, outputUsdPerMTok: 8 } }
`,
      )
      fleet = await (redis ? startFleet : startWorkers)(replicas, {
        DATABASE_URL: database.url,
        ...(redis && { REDIS_URL: redis.url }),
        TALLYSTICK_BOOTSTRAP_KEY: managerKey,
        TALLYSTICK_CONFIG: config,
        TALLYSTICK_LOG_LEVEL: 'fatal',
      })
    })
    afterEach(async () => {
      await fleet.stop()
      await upstream.close()
      await redis?.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    })

    test(
      'never pass a hard budget, and leave one receipt for each call that the provider saw',
      async () => {
        const budget = await waitFor('the budget to be made', async () => {
          const { status, body } = await manage().post('/v1/budgets', {
            name: 'One dollar',
            scope: { type: 'tenant' },
            amountUsd: 1,
            period: 'total',
          })
          return status === 201 && body
        })
        const { body: key } = await manage().post('/v1/keys', { name: 'storm' })
        // Reservations alone have someone refused early on; most of the dollar must be gone.
        const made = await stormAs(
          key.key,
          async (calls) => calls.some(({ status }) => status === 402) && (await spentNanos()) > 500_000_000,
        )
        const receipts = await expectOneReceiptEach(made)

        const sumNanos = receipts.reduce((sum, { costNanos }) => sum + costNanos, 0)
        expect(sumNanos).toBeLessThanOrEqual(1_000_000_000)
        for (const address of fleet.addresses()) {
          const figures = await waitFor('figures without reservations', async () => {
            const { body } = await createApi(address, managerKey).get(`/v1/budgets/${budget.id}`)
            return body.reservedUsd === 0 && body
          })
          expect(figures.spentUsd).toBe(sumNanos / 1e9)
        }
      },
      seconds * 1000 + 1_200_000,
    )

    test(
      'never pass the rate limits of their key in any rolling minute, and are refused only when there is no room',
      async () => {
        const rpmLimit = 400
        const tpmLimit = 350_000
        const { body: key } = await manage().post('/v1/keys', { name: 'storm', rpmLimit, tpmLimit })
        const made = await stormAs(key.key, (calls) =>
          calls.some((call) => isRefusedForRequests(call) && !isNearDeath(call)),
        )
        const receipts = await expectOneReceiptEach(made)

        const uses = receipts
          .map(({ ts, inputTokens, outputTokens }) => ({
            atMs: Date.parse(ts),
            tokens: inputTokens + outputTokens,
          }))
          .sort((a, b) => a.atMs - b.atMs)
        const within = (fromMs: number, toMs: number) =>
          uses.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
        for (const { atMs } of uses) {
          const minute = within(atMs, atMs + windowMs)
          expect(minute.length).toBeLessThanOrEqual(rpmLimit)
          expect(minute.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(tpmLimit)
        }
        const refused = made.filter(isRefusedForRequests)
        // A second on either side: the caller's clock is not the store's. And what a replica had admitted and not yet
        // noted when it died counts until its death was noticed and the limits were built anew.
        const isJust = (call: MadeCall) =>
          within(call.fromMs - windowMs - 1_000, call.toMs + 1_000).length >= rpmLimit || isNearDeath(call)
        expect(refused.filter((call) => !isJust(call))).toEqual([])
      },
      seconds * 1000 + 1_200_000,
    )
  },
)
