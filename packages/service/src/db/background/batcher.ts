import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** Writes items in groups, one group at a time. */
export interface Batcher<Item> {
  add(item: Item): void
  /** How many wait, without those that are being written. */
  size(): number
  /** Resolves when all that was added is written, or given up. What is added later is still written. */
  close(): Promise<void>
}

export interface BatcherOptions<Item> {
  /** Writes one group, and rejects only where `retry` is given. */
  write(group: Item[]): Promise<void>
  /** Default: everything that is queued. */
  maxGroupSize?: number
  /** How long the next group gathers after one was written, for writes that may be late and are cheaper in large groups. */
  gatherMs?: number
  /** What could not be written is written again, with what has gathered since; after `close` it is given up. */
  retry?: { afterMs: number; onError(error: unknown): void }
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * Natural batching: while one group is written, the next gathers. No timer decides when a group is complete, so an item
 * that is added while nothing is under way waits only for the next turn of the event loop: what else is added in this
 * turn comes along.
 */
export function createBatcher<Item>(options: BatcherOptions<Item>): Batcher<Item> {
  const {
    write,
    maxGroupSize = Number.POSITIVE_INFINITY,
    gatherMs = 0,
    retry,
    wait = waitUnlessClosed,
  } = options
  const closing = new AbortController()
  // Bounded: what callers wait for: a receipt for each call under way, and no call is taken while none can be
  // written. Content has a bound of its own (`maxQueuedBytes`).
  let queue: Item[] = []
  let writing: Promise<void> | null = null

  async function writeAll(): Promise<void> {
    while (queue.length > 0) {
      await nextTurn()
      const group = queue
      queue = group.length > maxGroupSize ? group.splice(maxGroupSize) : []
      let pauseMs = gatherMs
      try {
        await write(group)
      } catch (error) {
        if (!retry) throw error
        retry.onError(error)
        queue = closing.signal.aborted ? [] : [...group, ...queue]
        pauseMs = retry.afterMs
      }
      if (pauseMs > 0) await wait(pauseMs, closing.signal)
    }
    writing = null
  }

  return {
    add(item) {
      queue.push(item)
      writing ??= writeAll()
    },
    size: () => queue.length,
    async close() {
      closing.abort()
      await writing
    },
  }
}

const waitUnlessClosed = (ms: number, signal: AbortSignal) =>
  pause(ms, undefined, { signal }).catch(() => undefined)
