import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** Writes items in groups, one group at a time. */
export interface Batcher<Item> {
  add(item: Item): void
  /** The number of items that wait, without those that are being written. */
  size(): number
  /** Resolves when everything that was added is written or discarded. Items that are added later are still written. */
  close(): Promise<void>
}

export interface BatcherOptions<Item> {
  /** Writes one group. May reject only when `retry` is set. */
  write(group: Item[]): Promise<void>
  /** The maximum number of items in a group. Default: no maximum. */
  maxGroupSize?: number
  /** How long to wait after a group for more items. For writes that may be delayed and are cheaper in large groups. */
  gatherMs?: number
  /** A group that could not be written is written again, together with newer items. After `close` it is discarded. */
  retry?: { afterMs: number; onError(error: unknown): void }
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/**
 * Natural batching: while one group is written, the next one is collected. No timer decides when a group is complete. An item that is
 * added while nothing is being written waits only for the next turn of the event loop, together with all items added in this turn.
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
  // Bounded: callers wait for their items. There is one receipt for each open call, and no calls are accepted while receipts cannot be
  // written. Content has its own bound (`maxQueuedBytes`).
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
