import { type Db, inBoundedTransaction, inTransaction, newId, type Tx } from '../../../db/index.js'
import { enqueueJob, type JobKind } from '../../../jobs/index.js'
import type { RecordEvent } from '../../../record/index.js'
import { notFound } from '../../../shared/errors.js'
import { type Actor, recordChange } from '../../audit/index.js'
import { eraseCredentials } from '../../mcp-credentials/index.js'
import type { Erasure } from './erasure-schema.js'
import { type ErasureRow, erasureJob, hasMember, insertErasure, runErasureStep } from './erasure-store.js'

/**
 * Deletes the keys to a person's commitments, the content of the person's calls, the person's credentials for MCP
 * servers, and personal data. The request that begins an erasure also finishes it. If its process dies, a job does.
 */
export interface Erasures {
  /** Returns the id of the erasure. */
  begin(db: Db, actor: Actor, userId: string): Promise<string>
  /** Resolves when all keys are deleted. */
  finish(id: string): Promise<Erasure>
  jobs: JobKind
  close(): Promise<void>
}

// An erasure of a million entries takes less time.
const takenUpAfterMs = 30_000

export function createErasures(options: {
  db: Db
  recordEvent: RecordEvent
  onError(error: unknown): void
}): Erasures {
  const { db, recordEvent, onError } = options
  // Bounded: erasures under way.
  const running = new Set<Promise<unknown>>()
  let closed = false

  function track<T>(work: Promise<T>): Promise<T> {
    running.add(work)
    const done = () => running.delete(work)
    work.then(done, done)
    return work
  }

  async function run(id: string): Promise<ErasureRow> {
    for (;;) {
      const row = await inTransaction(db, (tx) => runErasureStep(tx, id))
      if (row.finished_at !== null || closed) return row
    }
  }

  return {
    async begin(db, actor, userId) {
      const { id } = await inBoundedTransaction(db, (tx) => createErasure(tx, actor, userId, recordEvent))
      return id
    },
    finish: async (id) => presentErasure(await track(run(id))),
    jobs: {
      name: erasureJob,
      concurrency: 1,
      // Replicas that run the same erasure alternate, so a lost lease does no harm.
      leaseEnds: 'by-time',
      maxAttempts: Number.POSITIVE_INFINITY,
      backoff: { baseMs: 5_000, capMs: 600_000 },
      run: async ({ id }) => ((await track(run(id))).finished_at === null ? { againAfterMs: 0 } : undefined),
      onError,
    },
    async close() {
      closed = true
      await Promise.allSettled(running)
    },
  }
}

export const presentErasure = (row: ErasureRow): Erasure => ({
  id: row.id,
  userId: row.user_id,
  status: row.finished_at === null ? 'running' : 'done',
  throughSeq: row.control_seq - 1,
  erasedReceipts: row.erased,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
})

/** Writes the control entry before any key is deleted. It names the erasure, not the user. */
async function createErasure(
  tx: Tx,
  actor: Actor,
  userId: string,
  recordEvent: RecordEvent,
): Promise<ErasureRow> {
  const { tenantId, keyId } = actor
  if (!(await hasMember(tx, tenantId, userId))) throw notFound('user')
  const id = newId('era')
  const who = {
    ...(keyId !== null && { key: keyId }),
    ...(actor.userId !== null && { user: actor.userId }),
  }
  const controlSeq = await recordEvent(tx, tenantId, { event: 'commitments.erase', subject: id, ...who })
  await eraseCredentials(tx, { tenantId, userId })
  const group = `${tenantId}/${userId}`
  await enqueueJob(tx, { id, kind: erasureJob, tenantId, group, afterMs: takenUpAfterMs })
  const row = await insertErasure(tx, { id, tenant_id: tenantId, user_id: userId, control_seq: controlSeq })
  await recordChange(tx, actor, {
    action: 'erasure.create',
    subjectId: id,
    before: null,
    after: presentErasure(row),
  })
  return row
}
