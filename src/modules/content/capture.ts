import { createBatcher, type Db, inTransaction } from '../../db/index.js'
import type { Secrets } from '../../secrets/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { ContentSettings } from '../settings/index.js'
import type { CapturedAttempt } from './captured.js'
import { createPartition, partitionOf } from './partitions.js'
import { sealContent } from './sealed-content.js'
import { insertContent, type SealedAttempt } from './store.js'

/** How the content of one call is to be captured. */
export type CaptureTerms = Pick<CapturedAttempt, 'mode' | 'modeSeq' | 'erasedTo'>

export interface ContentCapture {
  /** Null where nothing is captured. */
  termsFor(tenantId: string): Promise<CaptureTerms | null>
  /** Takes what a call said, after its receipt. Never waits, and never fails: what there is no room for is lost. */
  add(attempt: CapturedAttempt): void
  /** How many wait to be stored. */
  queued(): number
  /** Resolves when what was taken is stored, or given up. */
  close(): Promise<void>
}

export interface ContentCaptureOptions {
  db: Db
  secrets: Secrets
  settings: ContentSettings
  waitForTurn: WaitForTurn
  /** The content of a call is lost. */
  onLost(): void
  onError(error: unknown): void
  maxQueuedBytes?: number
  /** What could not be stored for this long is given up: the database is away, or refuses it. */
  maxAgeMs?: number
  now?(): number
}

// Some thousand calls of the usual size.
const defaultMaxQueuedBytes = 32 * 1024 * 1024
const defaultMaxAgeMs = 60_000
const maxGroupSize = 32
// Content may be late, and large groups cost less.
const gatherMs = 50
const retryAfterMs = 1_000

interface Queued {
  attempt: CapturedAttempt
  bytes: number
  sinceMs: number
}

/** An own queue beside the record's: what is captured never holds up what is recorded. */
export function createContentCapture(options: ContentCaptureOptions): ContentCapture {
  const { db, secrets, settings, waitForTurn, onLost, onError } = options
  const { maxQueuedBytes = defaultMaxQueuedBytes, maxAgeMs = defaultMaxAgeMs, now = Date.now } = options
  const madePartitions = new Set<string>()
  let queuedBytes = 0
  let isClosing = false

  async function write(group: Queued[]): Promise<void> {
    const due = group.filter(({ sinceMs }) => now() - sinceMs <= maxAgeMs)
    if (due.length < group.length) giveUp(group.filter((each) => !due.includes(each)))
    if (due.length === 0) return
    try {
      await store(due)
    } catch (error) {
      // A day may have been dropped since.
      madePartitions.clear()
      if (!isClosing) throw error
      giveUp(due)
      onError(error)
      return
    }
    for (const { bytes } of due) queuedBytes -= bytes
  }

  function giveUp(group: readonly Queued[]): void {
    for (const { bytes } of group) {
      queuedBytes -= bytes
      onLost()
    }
  }

  async function store(group: readonly Queued[]): Promise<void> {
    for (const { attempt } of group) {
      const partition = partitionOf(attempt.capturedAt)
      if (madePartitions.has(partition.name)) continue
      await createPartition(db, partition)
      madePartitions.add(partition.name)
    }
    const sealed: SealedAttempt[] = []
    for (const { attempt } of group) {
      sealed.push({ attempt, sealed: await sealContent(attempt, secrets) })
      await waitForTurn()
    }
    await inTransaction(db, (tx) => insertContent(tx, sealed))
  }

  const batcher = createBatcher<Queued>({
    write,
    maxGroupSize,
    gatherMs,
    retry: { afterMs: retryAfterMs, onError },
  })

  return {
    async termsFor(tenantId) {
      const { mode, modeSeq, erasedTo } = await settings.current(tenantId)
      return mode === 'off' ? null : { mode, modeSeq, erasedTo }
    },
    add(attempt) {
      const bytes = sizeOf(attempt)
      if (queuedBytes + bytes > maxQueuedBytes) {
        onLost()
        return
      }
      queuedBytes += bytes
      batcher.add({ attempt, bytes, sinceMs: now() })
    },
    queued: batcher.size,
    async close() {
      isClosing = true
      await batcher.close()
    },
  }
}

/** In memory: a character takes up to two bytes. */
const sizeOf = ({ request, answer }: CapturedAttempt): number =>
  1_024 + 2 * ((request?.text.length ?? 0) + (answer?.text.length ?? 0))
