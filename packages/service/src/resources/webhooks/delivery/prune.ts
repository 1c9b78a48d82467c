import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { deleteInSteps } from '../../../jobs/index.js'

const rowsPerStep = 5_000

/**
 * Deletes deliveries that are older than this many days and either finished or held back by a disabled endpoint.
 * Those that are still attempted stay, and so does the last one of each endpoint, which the API shows.
 */
export async function pruneDeliveries(db: Db, days: number): Promise<void> {
  await deleteInSteps(
    db,
    rowsPerStep,
    sql`
    delete from webhook_deliveries where (endpoint_id, id) in (
      select d.endpoint_id, d.id from webhook_deliveries d
      left join webhook_endpoints e on e.id = d.endpoint_id
      where d.created_at < now() - ${days} * interval '1 day'
        and coalesce(d.attempted_at, d.created_at) < now() - ${days} * interval '1 day'
        and (d.status in ('delivered', 'dead') or not e.enabled)
        and (e.deleted_at is not null or d.attempted_at is null or exists (
          select from webhook_deliveries later
          where later.endpoint_id = d.endpoint_id and later.attempted_at > d.attempted_at))
      limit ${rowsPerStep} for update of d skip locked)
    returning id`,
  )
}

/** Deletes an occurrence once the same event would be a new one and no receipt can still be late. */
export async function pruneOccurrences(db: Db, days: number): Promise<void> {
  await deleteInSteps(
    db,
    rowsPerStep,
    sql`
    delete from webhook_occurrences where (tenant_id, key) in (
      select tenant_id, key from webhook_occurrences
      where keep_until < now() - ${days} * interval '1 day' limit ${rowsPerStep} for update skip locked)
    returning key`,
  )
}
