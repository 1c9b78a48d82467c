import { availableParallelism } from 'node:os'
import type { Db } from '../../db/index.js'
import type { ChunkReport, ChunkTask, ChunkVerifier, TraceReport } from './chunk.js'
import type { TimeSpan } from './period-bounds.js'
import { type SpanProgress, type VerifiedSpan, verifySpan } from './verify-span.js'
import { createWorkerPool, type WorkerPool } from './worker-pool.js'

export interface SpanVerifier {
  /** Rejects soon after the signal is aborted: chunks that are being read are finished, no others are started. */
  verify(tenantId: string, time: TimeSpan, signal: AbortSignal): Promise<VerifiedSpan>
  /** The same for what nobody waits for at this moment: requests of the same tenant do not queue after it. */
  verifyInBackground(
    tenantId: string,
    time: TimeSpan,
    options: BackgroundOptions,
    signal: AbortSignal,
  ): Promise<VerifiedSpan>
  close(): Promise<void>
}

export interface BackgroundOptions {
  /** What the record had when the span was fixed. */
  recordSize: number
  onProgress(progress: SpanProgress): void
}

// One thread reads and one chunk is ready for it: the others stay free for requests.
const backgroundThreads = 1

// More would only wait for the database.
const maxThreads = 4
const idleMs = 5_000

export interface SpanVerifierOptions {
  db: Db
  databaseUrl: string
  chunkEntries?: number
}

/** Verifies spans of records in worker threads, which are started when needed. */
export function createSpanVerifier({ db, databaseUrl, chunkEntries }: SpanVerifierOptions): SpanVerifier {
  const threads = Math.min(maxThreads, availableParallelism())
  const pool = createWorkerPool<ChunkTask, ChunkReport | TraceReport>({
    workerUrl: new URL('./worker.js', import.meta.url),
    workerData: { databaseUrl },
    maxThreads: threads,
    idleMs,
  })
  const reader = createChunkVerifier(pool)
  const queue = createTenantQueue()
  return {
    verify: (tenantId, time, signal) =>
      queue.run(tenantId, signal, () =>
        verifySpan({ db, reader, threads, chunkEntries }, tenantId, time, signal),
      ),
    verifyInBackground: (tenantId, time, options, signal) =>
      verifySpan(
        { db, reader, threads: backgroundThreads, chunkEntries, ...options },
        tenantId,
        time,
        signal,
      ),
    close: pool.close,
  }
}

function createChunkVerifier(pool: WorkerPool<ChunkTask, ChunkReport | TraceReport>): ChunkVerifier {
  const mismatch = () => new Error('A thread sent the report of another kind of task')
  return {
    async check(span, chunk) {
      const report = await pool.run({ kind: 'check', span, chunk })
      if (report.kind !== 'check') throw mismatch()
      return report
    },
    async trace(span, chunk, tree) {
      const report = await pool.run({ kind: 'trace', span, chunk, tree })
      if (report.kind !== 'trace') throw mismatch()
      return report
    },
  }
}

/** Verifies one span of a tenant at a time, so that a tenant who requests hundreds does not delay the others. */
function createTenantQueue() {
  // Bounded: tenants with a verification under way.
  const last = new Map<string, Promise<unknown>>()
  return {
    async run<T>(tenantId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const result = (last.get(tenantId) ?? Promise.resolve()).then(() => {
        signal.throwIfAborted()
        return work()
      })
      const ended = result.catch(() => undefined)
      last.set(tenantId, ended)
      try {
        return await result
      } finally {
        if (last.get(tenantId) === ended) last.delete(tenantId)
      }
    },
  }
}
