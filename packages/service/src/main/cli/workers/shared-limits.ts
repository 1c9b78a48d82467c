import type { Worker } from 'node:cluster'
import { Duplex } from 'node:stream'
import { newId } from '../../../db/index.js'
import { createMemoryAdmission, serveAdmission } from '../../../limits/index.js'
import { markAllDead } from '../../../record/index.js'
import { requireServingLock, type Storage } from '../../infrastructure/storage.js'
import { createLoader } from '../../record/admission.js'

/**
 * The file descriptor of the stream between a worker and its supervisor, as the end of a socket pair. No other process can connect to it,
 * and it closes when either of the two ends.
 */
export const limitsDescriptor = 4

/** The standard streams of a worker, the channel for its messages, and the stream for its limits. */
export const workerStreams = ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'] as const

/** Limits that the supervisor counts for all its workers. */
export interface SharedLimits {
  serve(worker: Worker): void
  close(): Promise<void>
}

/** Makes this process the one that counts limits on the database. Fails while another process does. */
export async function shareLimits(storage: Storage, warn: (message: string) => void): Promise<SharedLimits> {
  const lock = await requireServingLock(storage, 'exclusive', newId('proc'), warn)
  // No other process serves this database now.
  await markAllDead(storage.db)
  const store = createMemoryAdmission(createLoader(storage.db))
  return {
    serve(worker) {
      const stream = worker.process.stdio[limitsDescriptor]
      if (stream instanceof Duplex) serveAdmission(stream, { store, lock })
    },
    async close() {
      await store.close()
      await lock.close()
    },
  }
}
