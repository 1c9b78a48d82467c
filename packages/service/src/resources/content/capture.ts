import { createBatcher, type Db, inTransaction } from '../../db/index.js'
import type { Secrets } from '../../secrets/index.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import type { ContentSettings } from '../settings/index.js'
import type { CapturedAttempt } from './captured.js'
import { createPartition, partitionOf } from './partitions.js'
import { sealContent } from './sealed-content.js'
import { insertContent, type SealedAttempt } from './store.js'

/** The capture settings of one call. */
export type CaptureSettings = Pick<CapturedAttempt, 'mode' | 'modeSeq' | 'erasedTo'>

export interface ContentCapture {
  /** Returns null when nothing is captured. */
  settingsFor(tenantId: string): Promise<CaptureSettings | null>
  /**
   * Adds the content of a call, after its receipt. Never waits and never fails: content that does not fit into the
   * queue is lost.
   */
  add(attempt: CapturedAttempt): void
  /** The number of calls waiting to be stored. */
  queued(): number
  /** Resolves when the queued content is stored or discarded. */
  close(): Promise<void>
}

export interface ContentCaptureOptions {
  db: Db
  secrets: Secrets
  settings: ContentSettings
  yieldToEventLoop: YieldToEventLoop
  /** Called when the content of a call is lost. */
  onLost(): void
  onError(error: unknown): void
  maxQueuedBytes?: number
  /** Content that could not be stored for this long is discarded: the database is unavailable or refuses it. */
  maxAgeMs?: number
  now?(): number
}

// A few thousand calls of the usual size.
const defaultMaxQueuedBytes = 32 * 1024 * 1024
const defaultMaxAgeMs = 60_000
const maxGroupSize = 32
// Content may be stored late, and large groups cost less.
const gatherMs = 50
const retryAfterMs = 1_000

interface Queued {
  attempt: CapturedAttempt
  bytes: number
  sinceMs: number
}

/** Content has its own queue beside the record's, so that it never delays the record. */
export function createContentCapture(options: ContentCaptureOptions): ContentCapture {
  const { db, secrets, settings, yieldToEventLoop, onLost, onError } = options
  const { maxQueuedBytes = defaultMaxQueuedBytes, maxAgeMs = defaultMaxAgeMs, now = Date.now } = options
  // Bounded: one name for each day since the start.
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
      await yieldToEventLoop()
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
    async settingsFor(tenantId) {
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

/** The size in memory, where a character takes up to two bytes. */
const sizeOf = ({ request, answer }: CapturedAttempt): number =>
  1_024 + 2 * ((request?.text.length ?? 0) + (answer?.text.length ?? 0))
