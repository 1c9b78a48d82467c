import type { Db } from '../../../db/index.js'
import { type Job, type JobKind, type JobResult, LeaseLostError } from '../../../jobs/index.js'
import type { Outbound } from '../../../outbound/index.js'
import { type Secrets, undecryptable } from '../../../secrets/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { Batch } from '../data/batch.js'
import { createSources } from '../data/sources.js'
import { ShipmentError } from '../destinations/destination.js'
import { destinationOf } from '../destinations/ship.js'
import type { MachineIdentity } from '../machine-identity.js'
import { openSinkSecrets } from '../secrets.js'
import { type SinkRow, sinkJob } from '../store.js'
import { undecryptableSecrets } from '../test-sink.js'
import { storeBatchEnd, storeFailure, storePosition, takeSink } from './lease.js'

export interface SinkJobsOptions {
  db: Db
  outbound: Outbound
  secrets: Secrets
  identity: MachineIdentity
  yieldToEventLoop: YieldToEventLoop
  /** Called with what was exported. */
  onExported(data: SinkRow['data'], rows: number): void
  onError(error: unknown): void
}

// A change of the sink wakes its job.
const disabledMs = 3_600_000
// Then other sinks have their turn.
const turnMs = 20_000

/**
 * Exports in the background, one process per sink at a time. The end of a batch is stored before the batch is sent,
 * and the position after the receiver has it: whatever is killed in between, nothing is left out, and what is sent
 * again has the same content and the same name.
 */
export function sinkJobs(options: SinkJobsOptions): JobKind {
  const { db, outbound, secrets, identity, onExported, onError } = options
  const sources = createSources(options)

  async function run(job: Job, signal: AbortSignal): Promise<JobResult> {
    let sink = await takeSink(db, job)
    const startedMs = performance.now()
    while (sink?.enabled) {
      if (signal.aborted) throw signal.reason
      if (performance.now() - startedMs > turnMs) return { againAfterMs: 0 }
      const batch: Batch | null = await sources[sink.data].read(sink, sink.batch_end)
      if (batch === null) return { againAfterMs: sink.interval_s * 1_000 }
      if (!(await storeBatchEnd(db, job, batch.end))) throw new LeaseLostError()
      if (batch.rows.length > 0) await untilAborted(send(job, sink, batch), signal)
      sink = await storePosition(db, job, { end: batch.end, count: batch.rows.length })
      if (sink === undefined) throw new LeaseLostError()
      onExported(sink.data, batch.rows.length)
      if (!batch.hasMore) return { againAfterMs: sink.interval_s * 1_000 }
    }
    return sink && { againAfterMs: disabledMs }
  }

  async function send(job: Job, sink: SinkRow, batch: Batch): Promise<void> {
    try {
      const opened = await openSinkSecrets(secrets, sink)
      if (opened === undecryptable) throw new ShipmentError(undecryptableSecrets)
      const { destination } = sink
      await destinationOf(sink).ship({ sink, destination, secrets: opened, batch, outbound, identity })
    } catch (error) {
      const message = error instanceof ShipmentError ? error.message : 'The service failed; its log says why'
      await storeFailure(db, job, message)
      throw error
    }
  }

  return {
    name: sinkJob,
    concurrency: 4,
    leaseEnds: 'by-time',
    // A receiver may be away for weeks: an export is never given up.
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: { baseMs: 1_000, capMs: 60_000 },
    run,
    onError,
  }
}

/** The work goes on until its own timeout, but nobody waits for it: a process that stops need not either. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  work.catch(() => undefined)
  try {
    await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
