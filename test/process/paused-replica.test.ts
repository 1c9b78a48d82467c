import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { masterKey } from '../harness/processes/master-key.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { startUpstream, type Upstream } from '../harness/providers/upstream.js'
import { verifyRecord } from '../harness/record/record.js'
import { isSoak } from '../harness/run/soak.js'
import { waitFor } from '../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'
import { answerChat, startTraffic } from '../harness/service/traffic.js'

// A busy host stops a replica for seconds, in the middle of whatever it does. The others must not notice.

const test = anyTest.skipIf(!hasRedis)
const key = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'
const pauses = isSoak ? 50 : 5
const callsMeanwhile = 40

let upstream: Upstream
let database: TestDatabase
let redis: RedisServer
let folder: string
const replicas: ServiceProcess[] = []

beforeAll(async () => {
  if (!hasRedis) return
  upstream = await startUpstream(answerChat)
  database = await createTestDatabase()
  redis = await startRedis()
  folder = await mkdtemp(join(tmpdir(), 'tallystick-paused-'))
  for (const name of ['one', 'other'])
    replicas.push(
      await startServiceProcess({
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        TALLYSTICK_MASTER_KEY: masterKey,
        TALLYSTICK_DATA_DIR: join(folder, name),
        TALLYSTICK_BOOTSTRAP_KEY: key,
        OPENAI_API_KEY: 'sk-upstream',
        OPENAI_BASE_URL: `${upstream.url}/v1`,
      }),
    )
})
afterAll(async () => {
  if (!hasRedis) return
  for (const { pid } of replicas) process.kill(pid, 'SIGCONT')
  await Promise.all(replicas.map((replica) => replica.end('SIGTERM')))
  await redis.close()
  await upstream.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test(`while a replica is paused, ${pauses} times under load, the other answers as ever; every complete answer has its receipt`, async () => {
  const [paused, healthy] = replicas as [ServiceProcess, ServiceProcess]
  const traffic = [paused, healthy].map(({ address }) => startTraffic(address, key, 4)) as [Traffic, Traffic]
  for (let pause = 0; pause < pauses; pause++) {
    await traffic[0].someMoment()
    process.kill(paused.pid, 'SIGSTOP')
    const enough = traffic[1].complete.length + callsMeanwhile
    await waitFor('the answers of the other', () => traffic[1].complete.length >= enough)
    process.kill(paused.pid, 'SIGCONT')
    const more = traffic[0].complete.length + 5
    await waitFor('the answers of the one that was paused', () => traffic[0].complete.length >= more)
  }
  await Promise.all(traffic.map((each) => each.stop()))

  // It never had to do without the database.
  expect(healthy.output()).not.toContain('the record cannot be written')
  const complete = traffic.flatMap((each) => each.complete)
  const recorded = async () => new Set((await verifyRecord(database)).entries.map(({ id }) => id))
  const missing = async () => {
    const ids = await recorded()
    return complete.filter((id) => !ids.has(id))
  }
  await waitFor('the last receipts', async () => (await missing()).length === 0)
  expect((await verifyRecord(database)).fault).toBeNull()
})

type Traffic = ReturnType<typeof startTraffic>
