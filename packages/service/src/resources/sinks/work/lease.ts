import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { type Job, noteProgress } from '../../../jobs/index.js'
import type { SinkRow } from '../store.js'

/** Takes over a sink: holders of earlier leases can no longer write. Undefined when it is deleted. */
export async function takeSink(db: Db, job: Job): Promise<SinkRow | undefined> {
  const { rows } = await sql<SinkRow>`
    update sinks set lease_number = ${job.lease_number}
    where id = ${job.id} and lease_number <= ${job.lease_number} and deleted_at is null returning *`.execute(
    db,
  )
  return rows[0]
}

const held = ({ id, lease_number: number }: Job) =>
  sql`id = ${id} and lease_number = ${number} and deleted_at is null`

/** Stores what the next batch is, before any of it is sent. False when the lease is lost. */
export async function storeBatchEnd(db: Db, job: Job, end: string): Promise<boolean> {
  const { rows } = await sql`update sinks set batch_end = ${end} where ${held(job)} returning id`.execute(db)
  return rows.length > 0
}

/** Moves the position behind a batch that the receiver has. Undefined when the lease is lost. */
export async function storePosition(
  db: Db,
  job: Job,
  { end, count }: { end: string; count: number },
): Promise<SinkRow | undefined> {
  const { rows } = await sql<SinkRow>`
    with progress as (${noteProgress(job)})
    update sinks
    set position = ${end}, batch_end = null, exported = exported + ${count},
      last_success_at = now(), last_error = null, last_error_at = null
    where ${held(job)} returning *`.execute(db)
  return rows[0]
}

export async function storeFailure(db: Db, job: Job, message: string): Promise<void> {
  await sql`update sinks set last_error = ${message}, last_error_at = now() where ${held(job)}`.execute(db)
}
