import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/index.js'

export interface NewJob {
  /** The id of the row that describes the work. */
  id: string
  kind: string
  tenantId: string
  /** Jobs of one kind and group run one at a time, in the order of their ids. */
  group?: string
  /** How long to wait before the job is due. For work that another process is about to do, so that the job is needed only if that fails. */
  afterMs?: number
}

/**
 * Adds a job in the transaction that adds the row it refers to. A trigger wakes the workers of every replica at
 * commit.
 */
export async function enqueueJob(tx: Tx | Db, job: NewJob): Promise<void> {
  const { id, kind, tenantId, group = null, afterMs = 0 } = job
  await sql`
    insert into jobs (id, kind, tenant_id, group_key, run_at)
    values (${id}, ${kind}, ${tenantId}, ${group}, now() + ${afterMs} * interval '1 millisecond')`.execute(tx)
}

/**
 * Makes jobs due now; a job that is running runs once more afterwards. `ids` is a query, so that a statement can
 * wake the jobs of the rows that it changed.
 */
export const wakeJobs = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update jobs set run_at = clock_timestamp() where state = 'open' and id in (${ids})`

/** Cancels jobs. A process that is running one loses its lease. */
export const cancelJobs = (ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  update jobs set state = 'done', ended_at = now(), leased_by = null, leased_until = null
  where state = 'open' and id in (${ids})`
