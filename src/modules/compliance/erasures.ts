import { type Db, inBoundedTransaction, inTransaction, newId, type Tx } from '../../db/index.js'
import { notFound } from '../../errors.js'
import type { RecordEvent } from '../../ledger/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import { eraseCredentials } from '../mcp-credentials/index.js'
import type { Erasure } from './erasure-schema.js'
import {
  type ErasureRow,
  hasMember,
  insertErasure,
  listUnfinishedErasures,
  runErasureStep,
} from './erasure-store.js'

/**
 * Deletes the keys to a person's commitments, what the person's calls said, what the person calls servers with, and what says who the
 * person is. An erasure that a restart interrupted is resumed.
 */
export interface Erasures {
  /** Answers its id. */
  begin(db: Db, actor: Actor, userId: string): Promise<string>
  /** Resolves when all keys are deleted. */
  finish(id: string): Promise<Erasure>
  close(): Promise<void>
}

export function createErasures(options: {
  db: Db
  recordEvent: RecordEvent
  onError(error: unknown): void
}): Erasures {
  const { db, recordEvent, onError } = options
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

  async function resumeUnfinished(): Promise<void> {
    for (const id of await listUnfinishedErasures(db)) await run(id)
  }

  track(resumeUnfinished()).catch(onError)

  return {
    async begin(db, actor, userId) {
      const { id } = await inBoundedTransaction(db, (tx) => createErasure(tx, actor, userId, recordEvent))
      return id
    },
    finish: async (id) => presentErasure(await track(run(id))),
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

/** The control entry comes before any key is deleted. It names the erasure, not the user. */
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
  const row = await insertErasure(tx, { id, tenant_id: tenantId, user_id: userId, control_seq: controlSeq })
  await recordChange(tx, actor, {
    action: 'erasure.create',
    subjectId: id,
    before: null,
    after: presentErasure(row),
  })
  return row
}
