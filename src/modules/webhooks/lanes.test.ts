import { expect, test } from 'vitest'
import { createLanes, type Room } from './lanes.js'

interface Delivery {
  endpoint_id: string
  tenant_id: string
  n: number
}
const deliveriesOf = (id: string, count: number, tenantId = 't'): Delivery[] =>
  Array.from({ length: count }, (_, n) => ({ endpoint_id: id, tenant_id: tenantId, n }))

const swift = 5
const prompt = 900
const failed = null

function createBench() {
  const lanes = createLanes<Delivery>()
  const lookFor = { ahead: true }
  return {
    lanes,
    roomFor: (id: string, options = lookFor) => roomIn(lanes.room(options), id),
    roomForFresh: (id: string) => roomIn(lanes.roomForFresh(new Set(['t'])), id),
    startAll() {
      const started: Delivery[] = []
      for (let next = lanes.next(); next; next = lanes.next()) started.push(next)
      return started
    },
    /** One attempt, from its beginning to its end. */
    run(id: string, successMs: number | null) {
      const [delivery] = deliveriesOf(id, 1)
      if (!delivery) throw new Error('no delivery')
      lanes.add([delivery])
      lanes.next()
      return lanes.ended(delivery, successMs)
    },
  }
}

function roomIn({ endpointIds, rooms, forOthers }: Room, id: string): number {
  const place = endpointIds.indexOf(id)
  return place === -1 ? forOthers : (rooms[place] ?? 0)
}

test('an endpoint begins with two at a time and earns up to 64, or 16 if it is swift', () => {
  const { roomFor, run, lanes, startAll } = createBench()
  const now = { ahead: false }
  expect(roomFor('a', now)).toBe(2)
  for (let i = 0; i < 100; i++) {
    run('a', prompt)
    run('b', swift)
  }
  expect([roomFor('a', now), roomFor('b', now)]).toEqual([64, 16])
  lanes.add(deliveriesOf('a', 100))
  expect(startAll()).toHaveLength(64)
  expect(roomFor('a', now)).toBe(0)
})

test('failure costs half, down to one that goes on trying', () => {
  const { roomFor, run } = createBench()
  for (let i = 0; i < 100; i++) run('a', prompt)
  const rooms = Array.from({ length: 6 }, () => {
    run('a', failed)
    return roomFor('a')
  })
  expect(rooms).toEqual([32, 16, 8, 4, 2, 1])
})

test('what is taken ahead is what can be sent within three seconds; of newcomers and of those that fail it is nothing', () => {
  const { lanes, roomFor, run } = createBench()
  expect(roomFor('a')).toBe(2)
  for (let i = 0; i < 100; i++) run('a', prompt)
  expect(roomFor('a')).toBe(64 * 3)
  run('a', 100)
  expect(roomFor('a', { ahead: false })).toBe(64)
  const taken: number[] = []
  for (let room = roomFor('a'); room > 0; room = roomFor('a')) {
    taken.push(room)
    lanes.add(deliveriesOf('a', room))
  }
  expect(Math.max(...taken)).toBe(256)
  expect(taken.reduce((sum, each) => sum + each)).toBe(64 * 30)
  lanes.withdraw()
  run('a', 1_500)
  expect(roomFor('a')).toBe(32)
})

test('what is made now leaves room for what waits in the database, and slow endpoints get none of it', () => {
  const { roomFor, roomForFresh, run, lanes } = createBench()
  expect(roomForFresh('a')).toBe(1)
  for (let i = 0; i < 100; i++) run('a', swift)
  const depth = 16 * 64
  expect(roomForFresh('a')).toBe(depth * 0.75)
  lanes.add(deliveriesOf('a', depth * 0.75))
  expect([roomForFresh('a'), roomFor('a')]).toEqual([0, depth / 4])
  for (let i = 0; i < 6; i++) run('b', failed)
  expect([roomForFresh('b'), roomFor('b')]).toEqual([0, 1])
  expect(lanes.roomForFresh(new Set(['another'])).endpointIds).toEqual([])
})

test('those that wait take turns', () => {
  const { lanes, startAll } = createBench()
  lanes.add([...deliveriesOf('a', 5), ...deliveriesOf('b', 5)])
  expect(startAll().map(({ endpoint_id, n }) => `${endpoint_id}${n}`)).toEqual(['a0', 'b0', 'a1', 'b1'])
  const [first] = deliveriesOf('a', 1)
  if (first) lanes.ended(first, swift)
  expect(startAll().map(({ endpoint_id, n }) => `${endpoint_id}${n}`)).toEqual(['a2', 'a3'])
})

test('a look is worth while when there may be more, and room for it', () => {
  const { lanes, run, roomFor } = createBench()
  const look = (brought: number) => {
    const room = lanes.room({ ahead: true })
    lanes.looked(room, deliveriesOf('a', brought))
  }
  expect(run('a', swift)).toBe(true)
  look(3)
  expect(run('a', swift)).toBe(false)
  look(roomFor('a'))
  expect(run('a', swift)).toBe(true)
  lanes.add(deliveriesOf('a', 200))
  expect(run('a', swift)).toBe(false)
})

test('after a look without any room every end is worth another', () => {
  const { lanes, run } = createBench()
  run('a', swift)
  lanes.looked(lanes.room({ ahead: true }), [])
  expect(run('a', swift)).toBe(false)
  lanes.looked({ ...lanes.room({ ahead: true }), inAll: 0 }, [])
  expect([run('a', swift), run('b', swift)]).toEqual([true, true])
})

test('however many are dead, half of all places is left for the others', () => {
  const { lanes, run, roomFor, startAll } = createBench()
  const dead = Array.from({ length: 600 }, (_, i) => `dead-${i}`)
  for (const id of dead) {
    run(id, failed)
    run(id, failed)
  }
  let underWay = 0
  for (let started = 1; started > 0; underWay += started) {
    const { endpointIds, rooms } = lanes.room({ ahead: true })
    lanes.add(endpointIds.flatMap((id, i) => deliveriesOf(id, rooms[i] ?? 0)))
    started = startAll().length
  }
  expect(underWay).toBe(256)
  expect(roomFor('alive')).toBe(2)
})

test('the dead take turns', () => {
  const { lanes, run, startAll } = createBench()
  const ids = Array.from({ length: 300 }, (_, i) => `dead-${i}`)
  for (const id of ids) run(id, failed)
  const served = new Set<string>()
  for (let round = 0; round < 3; round++) {
    const { endpointIds, rooms } = lanes.room({ ahead: true })
    lanes.add(endpointIds.flatMap((id, i) => deliveriesOf(id, rooms[i] ?? 0)))
    for (const delivery of startAll()) {
      served.add(delivery.endpoint_id)
      lanes.ended(delivery, failed)
    }
  }
  expect(served.size).toBe(300)
})

test('what waits is taken away by tenant, and what is under way is not', () => {
  const { lanes, startAll } = createBench()
  lanes.add([...deliveriesOf('a', 5), ...deliveriesOf('b', 5, 'other')])
  startAll()
  expect(lanes.withdraw('t')).toEqual(deliveriesOf('a', 5).slice(2))
  expect(lanes.withdraw('t')).toEqual([])
  expect(lanes.withdraw()).toEqual(deliveriesOf('b', 5, 'other').slice(2))
  for (const delivery of [...deliveriesOf('a', 2), ...deliveriesOf('b', 2)]) lanes.ended(delivery, swift)
  expect(startAll()).toEqual([])
})

test('what is remembered of endpoints is bounded, and what is ours is never forgotten', () => {
  const { lanes, run, roomFor, startAll } = createBench()
  lanes.add([...deliveriesOf('busy', 1), ...deliveriesOf('waiting', 3)])
  startAll()
  for (let i = 0; i < 5_000; i++) run(`once-${i}`, swift)
  expect(lanes.room({ ahead: true }).endpointIds.length).toBeLessThanOrEqual(2_000)
  expect([roomFor('busy'), roomFor('waiting')]).toEqual([1, 0])
})
