import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../../db/index.js'
import type { Clock } from './claim.js'
import { type FinishedAttempt, recordOutcomes } from './record-outcomes.js'

/** Writes outcomes in batches: while one batch is written, and for a moment after it, the next one collects. */
export interface OutcomeWriter {
  add(finished: FinishedAttempt): void
  /** Resolves when everything is written, or cannot be. */
  close(): Promise<void>
}

const retryMs = 500
const collectMs = 10

export function createOutcomeWriter(options: {
  db: Db
  clock: Clock
  onError(error: unknown): void
  onWritten(finished: readonly FinishedAttempt[]): void
}): OutcomeWriter {
  const { db, clock, onError, onWritten } = options
  let waiting: FinishedAttempt[] = []
  let writing: Promise<void> | null = null
  let closing = false

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await recordOutcomes(db, batch, clock())
        onWritten(batch)
        if (!closing) await pause(collectMs)
      } catch (error) {
        onError(error)
        // After its lease another replica sends the delivery again: giving up costs a duplicate.
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
