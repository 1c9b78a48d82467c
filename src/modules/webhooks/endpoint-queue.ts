/** The claimed deliveries of one endpoint, and how many requests at a time it has earned. */
export interface EndpointQueue<Delivery> {
  tenantId: string
  waiting: Delivery[]
  inFlight: number
  /** How many requests may be in flight. */
  concurrency: number
  /** How many deliveries may be claimed for each of these. */
  claimsPerSlot: number
  /** The database may hold more for it than the last claim had capacity for. */
  mayHaveMore: boolean
}

export const initialConcurrency = 2
const maxConcurrency = 64
// Concurrency helps against latency. For a receiver that answers this fast, more of it is only more connections.
const fastMs = 50
const maxFastConcurrency = 16
// An answer that takes longer counts as a failure does.
const slowMs = 1_000
// What is claimed should be sent within this time, if answers take as long as the last one did.
const prefetchMs = 3_000
const maxClaimsPerSlot = 64

export const createEndpointQueue = <Delivery>(tenantId: string): EndpointQueue<Delivery> => ({
  tenantId,
  waiting: [],
  inFlight: 0,
  concurrency: initialConcurrency,
  claimsPerSlot: 1,
  mayHaveMore: true,
})

/** One more request at a time after a success, half as many after a failure or a slow answer (null: a failure). */
export function adjustConcurrency(queue: EndpointQueue<unknown>, successMs: number | null): void {
  if (successMs !== null && successMs < slowMs) {
    if (queue.concurrency < (successMs < fastMs ? maxFastConcurrency : maxConcurrency)) queue.concurrency++
    queue.claimsPerSlot = Math.min(maxClaimsPerSlot, Math.floor(prefetchMs / successMs))
  } else {
    queue.concurrency = Math.max(1, queue.concurrency >> 1)
    queue.claimsPerSlot = 1
  }
}

export const isSlow = ({ concurrency }: EndpointQueue<unknown>): boolean => concurrency === 1

/** How many deliveries may be claimed for the endpoint in all, in flight or waiting. */
export const maxClaimed = ({ concurrency, claimsPerSlot }: EndpointQueue<unknown>): number =>
  concurrency * claimsPerSlot

export const capacityUpTo = (max: number, { inFlight, waiting }: EndpointQueue<unknown>): number =>
  Math.max(0, max - inFlight - waiting.length)
