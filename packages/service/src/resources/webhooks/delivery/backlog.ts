import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'

/** Unfinished deliveries of all tenants. */
export interface Backlog {
  pending: number
  retrying: number
  /** How long the oldest due delivery has been overdue. */
  overdueSeconds: number
}

// Feeds an operator's chart, where larger numbers would make no difference.
const maxCounted = 10_000

/** Plan: webhook_deliveries_due contains exactly these rows. */
export async function readBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*) filter (where status = 'pending') as pending,
      count(*) filter (where status = 'retrying') as retrying,
      greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as "overdueSeconds"
    from (select status, due_at from webhook_deliveries where status in ('pending', 'retrying') limit ${maxCounted}) d`.execute(
    db,
  )
  return rows[0] ?? { pending: 0, retrying: 0, overdueSeconds: 0 }
}
