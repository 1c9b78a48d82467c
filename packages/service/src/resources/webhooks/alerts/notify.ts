import { type RawBuilder, sql } from 'kysely'
import { locks, type Tx } from '../../../db/index.js'
import { insertAlerts } from './alert-log.js'
import { insertOccurrences } from './insert-occurrences.js'

/** Locks alert numbering, so that alerts get their numbers in one transaction at a time. */
export async function lockAlerts(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.alerts})`.execute(tx)
}

/**
 * Writes the rows of the CTE `found` (as for `insertOccurrences`) to the log of alerts, with a delivery to each
 * subscribed endpoint. The caller must hold the lock of alerts.
 */
export async function insertFound(tx: Tx, found: RawBuilder<unknown>): Promise<void> {
  await sql`with ${found}, ${sql.raw(insertOccurrences(null))}`.execute(tx)
  await sql`with ${found} ${sql.raw(insertAlerts)}`.execute(tx)
}
