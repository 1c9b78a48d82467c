import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { masterKey } from '../harness/processes/master-key.js'
import { type ServiceProcess, startServiceProcess } from '../harness/processes/process.js'
import { hasRedis, type RedisServer, startRedis } from '../harness/processes/redis.js'
import { type EventReader, readEvents } from '../harness/providers/event-stream.js'
import { pick, random } from '../harness/run/seed.js'
import { waitFor } from '../harness/run/wait.js'
import { createApi } from '../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../harness/service/database.js'

const test = anyTest.skipIf(!hasRedis)
const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

let database: TestDatabase
let redis: RedisServer
let replicas: ServiceProcess[]

beforeAll(async () => {
  if (!hasRedis) return
  database = await createTestDatabase()
  redis = await startRedis()
  const start = () =>
    startServiceProcess({
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      TALLYSTICK_MASTER_KEY: masterKey,
      TALLYSTICK_BOOTSTRAP_KEY: managerKey,
      TALLYSTICK_LOG_LEVEL: 'silent',
    })
  const one = await start()
  replicas = [one, await start()]
})
afterAll(async () => {
  for (const replica of replicas ?? []) await replica.end('SIGKILL')
  await redis?.close()
  await database?.drop()
})

async function call(address: string, key: string): Promise<void> {
  const { status } = await createApi(address, key).post('/v1/chat/completions', {
    model: 'mock/echo',
    messages: [{ role: 'user', content: 'Hi' }],
  })
  if (status !== 200) throw new Error(`answered ${status}`)
}

/** The calls of a record in its order, of one user or of all. */
const recorded = async (userId: string | null) =>
  (
    await database.query<{ request_id: string }>(
      `select request_id from receipts where canonical::json ->> 'kind' = 'model'
         and ($1::text is null or canonical::json ->> 'user' = $1) order by seq`,
      [userId],
    )
  ).map(({ request_id }) => request_id)

/** Reads in pieces: hangs up at moments that have nothing to do with events, and goes on at either replica after its last id. */
function readInPieces(key: string, addresses: () => string[]) {
  const seen: string[] = []
  let lastEventId = ''
  let connections = 0
  let current: EventReader | null = null
  let stopped = false
  const take = () => {
    if (current === null) return
    seen.push(...current.of('call').map(({ requestId }) => requestId))
    lastEventId = current.lastEventId() || lastEventId
    current.close()
    current = null
  }
  const connect = async () => {
    const query = { types: pick(['call', 'call,alert']) }
    current = await readEvents(pick(addresses()), key, { query, lastEventId }).catch(() => null)
    if (current !== null) connections += 1
  }
  const running = (async () => {
    while (!stopped) {
      await connect()
      await pause(random() * 400)
      take()
    }
  })()
  return {
    connections: () => connections,
    /** Everything that was read, once there is nothing more. */
    async finish(expected: () => Promise<string[]>): Promise<string[]> {
      stopped = true
      await running
      await waitFor('the rest', async () => {
        if (current === null || current.isEnded()) {
          take()
          await connect()
        }
        return seen.length + (current?.of('call').length ?? 0) >= (await expected()).length
      })
      take()
      return seen
    },
  }
}

test('over two replicas, one of which is killed, every reader sees every call once and in order, however often it hangs up', async () => {
  const [one, other] = replicas
  if (one === undefined || other === undefined) throw new Error('there are two')
  const manager = createApi(one.address, managerKey)
  const keyOf = async (fields: object): Promise<string> =>
    (await manager.post('/v1/keys', { name: 'A key', ...fields })).body.key
  const [ada, bob] = [await keyOf({ userId: 'ada' }), await keyOf({ userId: 'bob' })]
  const auditor = await keyOf({ role: 'auditor' })
  let addresses = [one.address, other.address]
  const readers = [
    { userId: null, reader: readInPieces(managerKey, () => addresses) },
    { userId: null, reader: readInPieces(auditor, () => addresses) },
    { userId: 'ada', reader: readInPieces(ada, () => addresses) },
    { userId: 'bob', reader: readInPieces(bob, () => addresses) },
  ]
  const steady = await readEvents(other.address, managerKey, { query: { types: 'call' } })
  await steady.until('hello')
  await waitFor('every reader', () => readers.every(({ reader }) => reader.connections() > 0))

  let calling = true
  let made = 0
  const callers = [ada, bob, managerKey, ada, bob, managerKey].map(async (key, i) => {
    while (calling) {
      await call(addresses[i % addresses.length] ?? '', key).then(
        () => {
          made += 1
        },
        () => pause(5),
      )
      await pause(random() * 20)
    }
  })
  await waitFor('some calls', () => made > 80)
  addresses = [other.address]
  await one.end('SIGKILL')
  const before = made
  await waitFor('more calls', () => made > before + 50)
  await waitFor('readers that hung up', () => readers.every(({ reader }) => reader.connections() > 3))
  calling = false
  await Promise.all(callers)
  // What the killed one had under way is recorded by the other.
  await waitFor('the end of the record', async () => {
    const rows = await database.query('select from open_calls')
    return rows.length === 0
  })

  for (const { userId, reader } of readers) {
    const seen = await reader.finish(() => recorded(userId))
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(await recorded(userId))
  }
  const all = await recorded(null)
  await steady.until('call', all.length)
  expect(steady.of('call').map(({ requestId }) => requestId)).toEqual(all)
  steady.close()
})

test('a replica that is stopped says goodbye, and waits for no reader', async () => {
  const other = replicas[1]
  if (other === undefined) throw new Error('there are two')
  const reader = await readEvents(other.address, managerKey)
  const idle = await readEvents(other.address, managerKey)
  await reader.until('hello')
  idle.pause()
  const exit = await other.end('SIGTERM')
  await reader.ended
  expect(reader.events.at(-1)).toMatchObject({ type: 'bye', data: { reason: 'shutdown', reconnect: true } })
  expect(exit).toBe(0)
  idle.close()
})
