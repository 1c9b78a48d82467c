/** The claimed deliveries of one endpoint, and its current concurrency. */
export interface EndpointQueue<Delivery> {
  tenantId: string
  waiting: Delivery[]
  inFlight: number
  /** How many requests may be in flight. */
  concurrency: number
  /** How many deliveries may be claimed for each of these. */
  claimsPerSlot: number
  /** True when the database may hold more for it than the last claim had capacity for. */
  mayHaveMore: boolean
}

export const initialConcurrency = 2
const maxConcurrency = 64
// Concurrency hides latency. A receiver that answers this fast would only get more connections.
const fastMs = 50
const maxFastConcurrency = 16
// A slower answer counts as a failure.
const slowMs = 1_000
// Claimed deliveries should be sent within this time, if answers take as long as the last one did.
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

/** Raises the concurrency by one after a success, and halves it after a failure (null) or a slow answer. */
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

/** Returns how many deliveries may be claimed for the endpoint, in flight or waiting. */
export const maxClaimed = ({ concurrency, claimsPerSlot }: EndpointQueue<unknown>): number =>
  concurrency * claimsPerSlot

export const capacityUpTo = (max: number, { inFlight, waiting }: EndpointQueue<unknown>): number =>
  Math.max(0, max - inFlight - waiting.length)
