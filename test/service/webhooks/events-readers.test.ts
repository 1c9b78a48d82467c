import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventReader, type ReadOptions, readEvents } from '../../harness/providers/event-stream.js'
import { fillRecord } from '../../harness/record/fill-record.js'
import { waitFor } from '../../harness/run/wait.js'
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.js'
import { type DatabaseProxy, startDatabaseProxy } from '../../harness/service/database-proxy.js'
import { startTestService, type TestService } from '../../harness/service/service.js'
import { addTenant, type TestTenant } from '../../harness/service/tenant.js'

let database: TestDatabase
let proxy: DatabaseProxy
let service: TestService
const readers: EventReader[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startDatabaseProxy(database.url)
  service = await startTestService({ database, env: { DATABASE_URL: proxy.url } })
})
afterAll(async () => {
  for (const reader of readers) reader.close()
  await service.stop()
  await proxy.close()
  await database.drop()
})

async function listen(key: string, options: ReadOptions = {}): Promise<EventReader> {
  const reader = await readEvents(service.address, key, { query: { types: 'call' }, ...options })
  readers.push(reader)
  return reader
}

async function call(key: string): Promise<string> {
  const answer = await service
    .as(key)
    .post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })
  expect(answer.status).toBe(200)
  return answer.headers.get('x-tallystick-request-id') ?? ''
}

const idsOf = (reader: EventReader) => reader.of('call').map(({ requestId }) => requestId)

/** Of the calls of a tenant, in the order of its record. */
const recorded = async ({ id }: TestTenant) =>
  (
    await database.query<{ request_id: string }>(
      `select request_id from receipts where tenant_id = $1 and canonical::json ->> 'kind' = 'model' order by seq`,
      [id],
    )
  ).map(({ request_id }) => request_id)

const fill = ({ id }: TestTenant, groups: number[]) =>
  fillRecord({ database, dataDir: service.dataDir, tenantId: id, groups })

test('two hundred readers at once see every call once and in order, each its own; a tenant has so many and no more', async () => {
  const tenant = await addTenant(service, 'many')
  const keys: { key: string; userId: string }[] = []
  for (let i = 0; i < 13; i++) {
    const userId = `user-${i}`
    keys.push({ userId, ...(await tenant.api.post('/v1/keys', { name: `Key ${i}`, userId })).body })
  }
  const open = async (count: number) =>
    await Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const { key = '', userId = '' } = keys[i % keys.length] ?? {}
        return { userId, reader: await listen(key) }
      }),
    )
  const members = await open(200)
  const manager = await listen(tenant.managerKey)
  for (const { reader } of members) await reader.until('hello')
  const made = new Map<string, string[]>()
  await Promise.all(
    keys.map(async ({ key, userId }) =>
      made.set(userId, [await call(key), await call(key), await call(key)]),
    ),
  )
  await manager.until('call', 39)
  expect(idsOf(manager)).toEqual(await recorded(tenant))
  for (const { userId, reader } of members) {
    await reader.until('call', 3)
    expect(idsOf(reader)).toEqual(made.get(userId))
  }
  await open(49)
  await expect(listen(tenant.managerKey)).rejects.toMatchObject({
    status: 429,
    body: { error: { message: expect.stringMatching(/^This tenant has 250 event streams open/) } },
  })
  for (const { reader } of members) reader.close()
})

test('what is too far back is passed over with a word on where to read it, and the newest of it is sent', async () => {
  const tenant = await addTenant(service, 'gap')
  const first = await listen(tenant.managerKey)
  await first.until('hello')
  first.close()
  await fill(tenant, [500, 500, 500, 500, 100])
  const all = await recorded(tenant)
  const back = await listen(tenant.managerKey, {
    query: { types: 'call', maxSeconds: '0' },
    lastEventId: first.lastEventId(),
  })
  await back.ended
  const [gap] = back.of('gap')
  expect(back.events[1]?.type).toBe('gap')
  expect(gap).toMatchObject({ fromSeq: 1, toSeq: 100, from: expect.any(String), to: expect.any(String) })
  expect(gap.read).toBe(`/v1/calls?${new URLSearchParams({ from: gap.from, to: gap.to })}`)
  expect(idsOf(back)).toEqual(all.slice(100))
})

test('an id from beyond the end of the record, as after a restored backup, goes on from the end with a word', async () => {
  const tenant = await addTenant(service, 'restored')
  const before = await listen(tenant.managerKey)
  await call(tenant.managerKey)
  await before.until('call')
  before.close()
  await database.query(`delete from receipts where tenant_id = $1`, [tenant.id])
  await database.query(`update record_heads set size = 0 where tenant_id = $1`, [tenant.id])
  await waitFor('the end of the feed', async () => {
    const back = await listen(tenant.managerKey, {
      query: { types: 'call', maxSeconds: '0' },
      lastEventId: before.lastEventId(),
    })
    await back.ended
    return back.of('gap').length === 1
  })
})

test('while the database is away streams stay, and nobody new is let in; when it is back nothing was missed', async () => {
  const tenant = await addTenant(service, 'away')
  const reader = await listen(tenant.managerKey)
  await reader.until('hello')
  const made = [await call(tenant.managerKey)]
  await reader.until('call')
  await proxy.cut()
  await expect(listen(tenant.managerKey)).rejects.toMatchObject({ status: 503 })
  await fill(tenant, [3])
  await proxy.restore()
  await waitFor('a call', async () => {
    const { status } = await service
      .as(tenant.managerKey)
      .post('/v1/chat/completions', { model: 'mock/echo', messages: [{ role: 'user', content: 'Hi' }] })
    return status === 200
  })
  // A call that was answered 503 may be recorded later: what was read and what was recorded are of the same moment.
  const { all, read } = await waitFor('all of them', async () => {
    const all = await recorded(tenant)
    const read = idsOf(reader)
    return all.length >= 5 && read.length === all.length && { all, read }
  })
  expect(read).toEqual(all)
  expect(read[0]).toBe(made[0])
  expect(reader.isEnded()).toBe(false)
})
