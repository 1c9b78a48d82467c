import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EventReader, readEvents } from '../../../../../test/harness/providers/event-stream.js'
import { createLedgerBench, type LedgerBench, newReceipt } from '../../../../../test/harness/record/ledger.js'
import { inVainMs, waitFor } from '../../../../../test/harness/run/wait.js'
import { type Changes, type Database, listenForChanges, openDatabase } from '../../db/index.js'
import { createCursors, type Principal } from '../../http/index.js'
import type { Ledger } from '../../record/index.js'
import { EventStream } from './event-stream.js'
import { createEvents, type Events } from './events.js'
import { viewOf } from './view.js'

// Tests the streams with short intervals, and with access to their buffers.

let bench: LedgerBench
let ledger: Ledger
let opened: Database
let changes: Changes
let events: Events
let server: Server
let address: string
let tenantId: string
const streams: EventStream[] = []
/** Streams that are dropped when they stall. The readers of all others run in this process, which may be paused as a whole. */
const impatient = new Set<EventStream>()
const readers: EventReader[] = []
const maxBufferedBytes = 64 * 1024
let isRedisAway = false

beforeAll(async () => {
  bench = await createLedgerBench()
  ledger = await bench.open({ projections: [] })
  tenantId = bench.tenantIds[0] ?? ''
  opened = openDatabase(bench.database.url, () => undefined)
  changes = await listenForChanges(bench.database.url, () => undefined)
  events = createEvents({
    db: opened.db,
    changes,
    cursors: createCursors(Buffer.alloc(32, 1)),
    // A connected stream keeps its access.
    principalNow: () => Promise.reject(new Error('nobody asks')),
    readReserved: () => (isRedisAway ? Promise.reject(new Error('Redis is away')) : Promise.resolve(0)),
    now: () => new Date(),
    onError: () => undefined,
    pingEveryMs: 20,
    stallMs: 3_000,
  })
  server = createServer(({ headers, url }, response) => {
    const [, userId = null] = /user=(.*)$/.exec(url ?? '') ?? []
    const role = userId === null ? 'manager' : 'member'
    const principal: Principal = { tenantId, role, userId, keyId: 'key_1', sessionId: null, suspended: false }
    const stream = new EventStream({
      response,
      principal,
      view: viewOf(principal, ['call', 'budget']),
      maxBufferedBytes,
      onClosed: () => events.leave(stream),
    })
    stream.drained = (withinMs) =>
      EventStream.prototype.drained.call(stream, impatient.has(stream) ? withinMs : inVainMs)
    streams.push(stream)
    const lastId = headers['last-event-id']
    const at = typeof lastId === 'string' ? events.ids.decode(tenantId, lastId) : null
    events.serve(stream, { at, begin: () => void response.writeHead(200) })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  for (const reader of readers) reader.close()
  await events.close()
  server.close()
  await changes.close()
  await opened.close()
  await bench.close()
})

async function listen(lastEventId?: string, userId?: string): Promise<[EventReader, EventStream]> {
  const reader = await readEvents(address, 'unused', {
    ...(userId !== undefined && { query: { user: userId } }),
    ...(lastEventId !== undefined && { lastEventId }),
  })
  readers.push(reader)
  await reader.until('hello')
  const stream = streams.at(-1)
  if (stream === undefined) throw new Error('there is one')
  return [reader, stream]
}

const append = (count: number, draft: Parameters<typeof newReceipt>[1] = {}) =>
  Promise.all(Array.from({ length: count }, () => ledger.append(newReceipt(tenantId, draft))))

/** A stream starts at the position of its feed, which may lag behind. */
const seqsOf = (reader: EventReader, after = 0): number[] =>
  reader.of('call').flatMap(({ receiptSeq }) => (receiptSeq > after ? [receiptSeq] : []))

test('a silent stream is pinged, and its last id advances past events that it does not show', async () => {
  const [reader] = await listen(undefined, 'nobody')
  const first = reader.lastEventId()
  await waitFor('a ping', () => reader.comments().includes('ping'))
  await append(3)
  await waitFor('another id', () => reader.lastEventId() !== first)
  expect(reader.of('call')).toEqual([])
  const [again] = await listen(first)
  await again.until('call', 3)
})

test('a reader that stops reading has a bounded buffer, is dropped with a reason, and can resume; others are not affected', async () => {
  const before = (await append(1))[0]?.seq ?? 0
  const [swift] = await listen()
  const [slow, stream] = await listen()
  impatient.add(stream)
  slow.pause()
  // More than the buffers of both ends of a connection hold.
  const model = 'm'.repeat(20_000)
  let appended = 0
  while (stream.isOpen) {
    appended += (await append(20, { model })).length
    expect(stream.bufferedBytes).toBeLessThan(4 * maxBufferedBytes)
  }
  // Its last event is kept only for a while.
  slow.resume()
  await slow.ended
  appended += (await append(20)).length
  const all = Array.from({ length: appended }, (_, i) => before + 1 + i)
  await waitFor('all of them', () => seqsOf(swift, before).length >= all.length)
  expect(seqsOf(swift, before)).toEqual(all)

  expect(slow.events.at(-1)).toMatchObject({
    type: 'error',
    data: { reason: 'slow_reader', reconnect: true },
  })
  const seen = seqsOf(slow, before)
  expect(seen.length).toBeLessThan(all.length)
  const [back] = await listen(slow.lastEventId())
  await back.until('call', all.length - seen.length)
  expect([...seen, ...seqsOf(back)]).toEqual(all)
})

test('a reader that falls behind but keeps reading is not dropped, and receives everything', async () => {
  const before = (await append(1))[0]?.seq ?? 0
  const [reader, stream] = await listen()
  reader.pause()
  const model = 'm'.repeat(20_000)
  let appended = 0
  while (stream.bufferedBytes === 0) appended += (await append(20, { model })).length
  reader.resume()
  appended += (await append(50, { model })).length
  await waitFor('all of them', () => !stream.isOpen || seqsOf(reader, before).length >= appended)
  expect(reader.events.at(-1)?.type).toBe('call')
  expect(seqsOf(reader, before)).toEqual(Array.from({ length: appended }, (_, i) => before + 1 + i))
  expect(stream.isOpen).toBe(true)
})

test('without Redis only budget states are missing, and they follow when it is back', async () => {
  await bench.database.query(
    `insert into budgets (id, tenant_id, name, scope_type, scope_id, amount_nanos, period)
     values ('bud_1', $1, 'A budget', 'tenant', $1, 1000000000, 'total')`,
    [tenantId],
  )
  isRedisAway = true
  const [reader] = await listen()
  await append(1)
  await reader.until('call')
  expect(reader.of('budget')).toEqual([])
  isRedisAway = false
  expect(await reader.until('budget')).toEqual([expect.objectContaining({ id: 'bud_1', share: 0 })])
})

test('every reader receives a last event when the process stops', async () => {
  const [reader] = await listen()
  await events.close()
  await reader.ended
  expect(reader.events.at(-1)).toMatchObject({ type: 'bye', data: { reason: 'shutdown' } })
})
