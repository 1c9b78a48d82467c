import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/index.js'
import { type Clock, type Finished, finishDeliveries } from './claim.js'

/** Writes outcomes down in batches: while one is written, and for a moment after it, the next gathers. */
export interface Finisher {
  add(finished: Finished): void
  /** Resolves when all is written, or cannot be. */
  close(): Promise<void>
}

const retryMs = 500
const gatherMs = 10

export function createFinisher(options: {
  db: Db
  clock: Clock
  onError(error: unknown): void
  onWritten(finished: readonly Finished[]): void
}): Finisher {
  const { db, clock, onError, onWritten } = options
  let waiting: Finished[] = []
  let writing: Promise<void> | null = null
  let closing = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await finishDeliveries(db, batch, clock())
        onWritten(batch)
        if (!closing) await pause(gatherMs)
      } catch (error) {
        onError(error)
        // Past its lease a delivery is taken by someone else: what is given up costs a duplicate.
        if (closing) return
        waiting = [...batch, ...waiting]
        await pause(retryMs)
      }
    }
    writing = null
  }

  return {
    add(finished) {
      waiting.push(finished)
      writing ??= writeAll()
    },
    async close() {
      closing = true
      await writing
    },
  }
}
