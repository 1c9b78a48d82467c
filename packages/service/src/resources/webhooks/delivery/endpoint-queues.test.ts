import { expect, test } from 'vitest'
import { type Capacity, createEndpointQueues } from './endpoint-queues.js'

interface Delivery {
  endpoint_id: string
  tenant_id: string
  n: number
}
const deliveriesOf = (id: string, count: number, tenantId = 't'): Delivery[] =>
  Array.from({ length: count }, (_, n) => ({ endpoint_id: id, tenant_id: tenantId, n }))

const fast = 5
const prompt = 900
const failed = null

function createFixture() {
  const queues = createEndpointQueues<Delivery>()
  return {
    queues,
    claimCapacity: (id: string, options = { prefetch: true }) =>
      capacityOf(queues.claimCapacity(options), id),
    insertCapacity: (id: string) => capacityOf(queues.insertCapacity(new Set(['t'])), id),
    startAll() {
      const started: Delivery[] = []
      for (let next = queues.startNext(); next; next = queues.startNext()) started.push(next)
      return started
    },
    /** One attempt, from start to end. */
    run(id: string, successMs: number | null) {
      const [delivery] = deliveriesOf(id, 1)
      if (!delivery) throw new Error('no delivery')
      queues.add([delivery])
      queues.startNext()
      return queues.finish(delivery, successMs)
    },
  }
}

function capacityOf({ endpointIds, capacities, forOthers }: Capacity, id: string): number {
  const index = endpointIds.indexOf(id)
  return index === -1 ? forOthers : (capacities[index] ?? 0)
}

test('an endpoint starts with two at a time and earns up to 64, or 16 if it is fast', () => {
  const { claimCapacity, run, queues, startAll } = createFixture()
  const now = { prefetch: false }
  expect(claimCapacity('a', now)).toBe(2)
  for (let i = 0; i < 100; i++) {
    run('a', prompt)
    run('b', fast)
  }
  expect([claimCapacity('a', now), claimCapacity('b', now)]).toEqual([64, 16])
  queues.add(deliveriesOf('a', 100))
  expect(startAll()).toHaveLength(64)
  expect(claimCapacity('a', now)).toBe(0)
})

test('a failure halves the concurrency, down to one', () => {
  const { claimCapacity, run } = createFixture()
  for (let i = 0; i < 100; i++) run('a', prompt)
  const capacities = Array.from({ length: 6 }, () => {
    run('a', failed)
    return claimCapacity('a')
  })
  expect(capacities).toEqual([32, 16, 8, 4, 2, 1])
})

test('what is prefetched can be sent within three seconds; for new and for failing endpoints it is nothing', () => {
  const { queues, claimCapacity, run } = createFixture()
  expect(claimCapacity('a')).toBe(2)
  for (let i = 0; i < 100; i++) run('a', prompt)
  expect(claimCapacity('a')).toBe(64 * 3)
  run('a', 100)
  expect(claimCapacity('a', { prefetch: false })).toBe(64)
  const claims: number[] = []
  for (let capacity = claimCapacity('a'); capacity > 0; capacity = claimCapacity('a')) {
    claims.push(capacity)
    queues.add(deliveriesOf('a', capacity))
  }
  expect(Math.max(...claims)).toBe(256)
  expect(claims.reduce((sum, each) => sum + each)).toBe(64 * 30)
  queues.removeWaiting()
  run('a', 1_500)
  expect(claimCapacity('a')).toBe(32)
})

test('inserts leave capacity for what is due in the database, and slow endpoints get none of it', () => {
  const { claimCapacity, insertCapacity, run, queues } = createFixture()
  expect(insertCapacity('a')).toBe(1)
  for (let i = 0; i < 100; i++) run('a', fast)
  const maxClaimed = 16 * 64
  expect(insertCapacity('a')).toBe(maxClaimed * 0.75)
  queues.add(deliveriesOf('a', maxClaimed * 0.75))
  expect([insertCapacity('a'), claimCapacity('a')]).toEqual([0, maxClaimed / 4])
  for (let i = 0; i < 6; i++) run('b', failed)
  expect([insertCapacity('b'), claimCapacity('b')]).toEqual([0, 1])
  expect(queues.insertCapacity(new Set(['another'])).endpointIds).toEqual([])
})

test('endpoints are served in turn', () => {
  const { queues, startAll } = createFixture()
  queues.add([...deliveriesOf('a', 5), ...deliveriesOf('b', 5)])
  expect(startAll().map(({ endpoint_id, n }) => `${endpoint_id}${n}`)).toEqual(['a0', 'b0', 'a1', 'b1'])
  const [first] = deliveriesOf('a', 1)
  if (first) queues.finish(first, fast)
  expect(startAll().map(({ endpoint_id, n }) => `${endpoint_id}${n}`)).toEqual(['a2', 'a3'])
})

test('a claim is worthwhile when there may be more, and capacity for it', () => {
  const { queues, run, claimCapacity } = createFixture()
  const claim = (count: number) => {
    const capacity = queues.claimCapacity({ prefetch: true })
    queues.noteClaim(capacity, deliveriesOf('a', count))
  }
  expect(run('a', fast)).toBe(true)
  claim(3)
  expect(run('a', fast)).toBe(false)
  claim(claimCapacity('a'))
  expect(run('a', fast)).toBe(true)
  queues.add(deliveriesOf('a', 200))
  expect(run('a', fast)).toBe(false)
})

test('after a claim without any capacity, every attempt that ends is worth another claim', () => {
  const { queues, run } = createFixture()
  run('a', fast)
  queues.noteClaim(queues.claimCapacity({ prefetch: true }), [])
  expect(run('a', fast)).toBe(false)
  queues.noteClaim({ ...queues.claimCapacity({ prefetch: true }), total: 0 }, [])
  expect([run('a', fast), run('b', fast)]).toEqual([true, true])
})

test('however many endpoints are dead, half of all requests in flight is left for the others', () => {
  const { queues, run, claimCapacity, startAll } = createFixture()
  const dead = Array.from({ length: 600 }, (_, i) => `dead-${i}`)
  for (const id of dead) {
    run(id, failed)
    run(id, failed)
  }
  let inFlight = 0
  for (let started = 1; started > 0; inFlight += started) {
    const { endpointIds, capacities } = queues.claimCapacity({ prefetch: true })
    queues.add(endpointIds.flatMap((id, i) => deliveriesOf(id, capacities[i] ?? 0)))
    started = startAll().length
  }
  expect(inFlight).toBe(256)
  expect(claimCapacity('alive')).toBe(2)
})

test('dead endpoints are served in turn', () => {
  const { queues, run, startAll } = createFixture()
  const ids = Array.from({ length: 300 }, (_, i) => `dead-${i}`)
  for (const id of ids) run(id, failed)
  const served = new Set<string>()
  for (let round = 0; round < 3; round++) {
    const { endpointIds, capacities } = queues.claimCapacity({ prefetch: true })
    queues.add(endpointIds.flatMap((id, i) => deliveriesOf(id, capacities[i] ?? 0)))
    for (const delivery of startAll()) {
      served.add(delivery.endpoint_id)
      queues.finish(delivery, failed)
    }
  }
  expect(served.size).toBe(300)
})

test('what waits can be removed by tenant, and what is in flight stays', () => {
  const { queues, startAll } = createFixture()
  queues.add([...deliveriesOf('a', 5), ...deliveriesOf('b', 5, 'other')])
  startAll()
  expect(queues.removeWaiting('t')).toEqual(deliveriesOf('a', 5).slice(2))
  expect(queues.removeWaiting('t')).toEqual([])
  expect(queues.removeWaiting()).toEqual(deliveriesOf('b', 5, 'other').slice(2))
  for (const delivery of [...deliveriesOf('a', 2), ...deliveriesOf('b', 2)]) queues.finish(delivery, fast)
  expect(startAll()).toEqual([])
})

test('the number of queues is bounded, and none with deliveries is dropped', () => {
  const { queues, run, claimCapacity, startAll } = createFixture()
  queues.add([...deliveriesOf('busy', 1), ...deliveriesOf('waiting', 3)])
  startAll()
  for (let i = 0; i < 5_000; i++) run(`once-${i}`, fast)
  expect(queues.claimCapacity({ prefetch: true }).endpointIds.length).toBeLessThanOrEqual(2_000)
  expect([claimCapacity('busy'), claimCapacity('waiting')]).toEqual([1, 0])
})
