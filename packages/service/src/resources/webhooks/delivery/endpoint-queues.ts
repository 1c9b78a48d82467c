import {
  adjustConcurrency,
  capacityUpTo,
  createEndpointQueue,
  type EndpointQueue,
  initialConcurrency,
  isSlow,
  maxClaimed,
} from './endpoint-queue.js'

/** How many deliveries may be claimed now, per endpoint and in total. */
export interface Capacity {
  endpointIds: string[]
  /** In the order of `endpointIds`. */
  capacities: number[]
  /** For each endpoint that is not listed. */
  forOthers: number
  total: number
}

export const noCapacity: Capacity = { endpointIds: [], capacities: [], forOthers: 0, total: 0 }

/**
 * The deliveries that this process has claimed, in one queue per endpoint. An endpoint starts with few concurrent
 * requests, gains one with every prompt success and loses half with every failure or slow answer. Endpoints that
 * are down to one, because they are dead or slow, share half of all requests in flight: however many there are, the
 * others have the rest.
 *
 * For an endpoint that answers promptly, more is claimed than can be in flight, so that it never idles during a
 * claim, but no more than can be sent soon: no other replica can send what is queued here.
 */
export interface EndpointQueues<Delivery extends Addressed> {
  /** For due deliveries in the database. Without `prefetch`, only as many as can be sent at once. */
  claimCapacity(options: { prefetch: boolean }): Capacity
  /**
   * For deliveries of these tenants that are about to be inserted; leaves some capacity for those that are already
   * due.
   */
  insertCapacity(tenantIds: ReadonlySet<string>): Capacity
  add(deliveries: readonly Delivery[]): void
  /** Records which endpoints may have more in the database, by what a claim with that capacity returned. */
  noteClaim(capacity: Capacity, claimed: readonly Addressed[]): void
  /** Returns the next delivery to send; it is in flight from now on. */
  startNext(): Delivery | undefined
  /** `successMs` is how long a success took, null after a failure. Returns whether to claim more now. */
  finish(delivery: Delivery, successMs: number | null): boolean
  /** Removes and returns waiting deliveries, of one tenant or of all. */
  removeWaiting(tenantId?: string): Delivery[]
}

interface Addressed {
  endpoint_id: string
  tenant_id: string
}

const maxInFlight = 512
const maxSlowInFlight = 256
const maxClaimedInAll = 8_192
// Keeps a claim short.
const maxPerClaim = 1_024
// Lets several endpoints share a claim.
const maxPerClaimAndEndpoint = 256
// The share of an endpoint's capacity that inserts may use. A steady stream of new deliveries must not starve
// retries.
const insertShare = 0.75
// Above this number, queues of idle endpoints are dropped: they start again with the initial concurrency.
const maxQueues = 2_000

export function createEndpointQueues<Delivery extends Addressed>(): EndpointQueues<Delivery> {
  type Queue = EndpointQueue<Delivery>
  /** The queue of each endpoint. The endpoint that was served last is at the end. */
  // Bounded: 2,000 that are idle, and those in use; 8,192 deliveries are claimed in all.
  const queues = new Map<string, Queue>()
  /** Queues that have waiting deliveries and may send them, in round-robin order. */
  // Bounded: some of the queues.
  const ready = new Set<Queue>()
  let inFlight = 0
  let waiting = 0
  /** The last claim had no capacity for some endpoint that has no queue here. */
  let othersSkipped = false

  const remainingTotal = () => Math.max(0, maxClaimedInAll - inFlight - waiting)

  function queueOf({ endpoint_id: id, tenant_id: tenantId }: Delivery): Queue {
    const queue = queues.get(id) ?? createEndpointQueue<Delivery>(tenantId)
    // Moved to the end of the map: capacity for slow endpoints is assigned from its start.
    queues.delete(id)
    queues.set(id, queue)
    return queue
  }

  function updateReady(queue: Queue): void {
    ready.delete(queue)
    if (queue.waiting.length > 0 && queue.inFlight < queue.concurrency) ready.add(queue)
  }

  function dropIdleQueues(): void {
    for (const [id, queue] of queues) {
      if (queues.size <= maxQueues) return
      if (queue.inFlight + queue.waiting.length === 0) queues.delete(id)
    }
  }

  return {
    claimCapacity({ prefetch }) {
      const canSend = inFlight < maxInFlight
      let forSlow = maxSlowInFlight
      for (const queue of queues.values()) if (isSlow(queue)) forSlow -= queue.inFlight
      const endpointIds: string[] = []
      const capacities: number[] = []
      for (const [id, queue] of queues) {
        let capacity = capacityUpTo(prefetch ? maxClaimed(queue) : queue.concurrency, queue)
        if (!canSend && queue.claimsPerSlot === 1) capacity = 0
        if (isSlow(queue)) {
          capacity = Math.min(capacity, Math.max(0, forSlow))
          forSlow -= capacity
        }
        endpointIds.push(id)
        capacities.push(Math.min(maxPerClaimAndEndpoint, capacity))
      }
      const total = Math.min(maxPerClaim, remainingTotal())
      return { endpointIds, capacities, forOthers: canSend ? initialConcurrency : 0, total }
    },
    insertCapacity(tenantIds) {
      if (inFlight >= maxInFlight || remainingTotal() === 0) return noCapacity
      const endpointIds: string[] = []
      const capacities: number[] = []
      for (const [id, queue] of queues) {
        if (!tenantIds.has(queue.tenantId)) continue
        endpointIds.push(id)
        capacities.push(capacityUpTo(Math.floor(maxClaimed(queue) * insertShare), queue))
      }
      return { endpointIds, capacities, forOthers: initialConcurrency - 1, total: remainingTotal() }
    },
    add(deliveries) {
      for (const delivery of deliveries) {
        const queue = queueOf(delivery)
        queue.waiting.push(delivery)
        waiting++
        updateReady(queue)
      }
    },
    noteClaim(capacity, claimed) {
      const counts = new Map<string, number>()
      for (const { endpoint_id: id } of claimed) counts.set(id, (counts.get(id) ?? 0) + 1)
      const full = claimed.length >= capacity.total
      othersSkipped = full || capacity.forOthers === 0
      for (const [i, id] of capacity.endpointIds.entries()) {
        const queue = queues.get(id)
        if (queue) queue.mayHaveMore = full || (counts.get(id) ?? 0) >= (capacity.capacities[i] ?? 0)
      }
    },
    startNext() {
      const [queue] = inFlight < maxInFlight ? ready : []
      if (!queue) return undefined
      const delivery = queue.waiting.shift()
      waiting--
      queue.inFlight++
      inFlight++
      updateReady(queue)
      return delivery
    },
    finish(delivery, successMs) {
      const queue = queueOf(delivery)
      queue.inFlight--
      inFlight--
      adjustConcurrency(queue, successMs)
      updateReady(queue)
      dropIdleQueues()
      const max = maxClaimed(queue)
      const halfEmpty = queue.claimsPerSlot === 1 || capacityUpTo(max, queue) * 2 >= max
      return othersSkipped || (queue.mayHaveMore && halfEmpty)
    },
    removeWaiting(tenantId) {
      const removed: Delivery[] = []
      for (const queue of queues.values()) {
        if (queue.waiting.length === 0 || (tenantId !== undefined && queue.tenantId !== tenantId)) continue
        removed.push(...queue.waiting)
        queue.waiting = []
        queue.mayHaveMore = true
        updateReady(queue)
      }
      waiting -= removed.length
      return removed
    },
  }
}
