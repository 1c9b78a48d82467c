import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { timeOrNow } from '../../../jobs/index.js'
import type { AttemptOutcome } from './attempt.js'

export interface FinishedAttempt extends AttemptOutcome {
  endpointId: string
  id: string
  leaseUntil: Date
  maxAttempts: number
  /** The time until the next attempt, if there is one. */
  delayMs: number
}

/**
 * Records the outcomes of attempts. A success always counts. A failure counts only while this process's lease is
 * current: a replica that claimed the delivery later records its own.
 */
export async function recordOutcomes(
  db: Db,
  finished: readonly FinishedAttempt[],
  now: Date | null,
): Promise<void> {
  const delivered = finished.filter((each) => each.delivered)
  const failed = finished.filter((each) => !each.delivered)
  if (delivered.length > 0) await recordDelivered(db, delivered, now)
  if (failed.length > 0) await recordFailed(db, failed, now)
}

async function recordDelivered(
  db: Db,
  delivered: readonly FinishedAttempt[],
  now: Date | null,
): Promise<void> {
  await sql`
    with done as (update webhook_deliveries d set
      status = 'delivered', attempts = d.attempts + 1, lease_until = null, attempted_at = ${timeOrNow(now)},
      status_code = f.status_code, error = null
    from unnest(
      ${delivered.map(({ endpointId }) => endpointId)}::text[],
      ${delivered.map(({ id }) => id)}::text[],
      ${delivered.map(({ statusCode }) => statusCode)}::int[],
      ${delivered.map(({ durationMs }) => durationMs)}::int[]
    ) as f (endpoint_id, id, status_code, duration_ms)
    where d.endpoint_id = f.endpoint_id and d.id = f.id and d.status <> 'delivered'
    returning d.endpoint_id, d.id, d.attempted_at, f.duration_ms, d.status_code, d.error)
    ${insertAttempts}`.execute(db)
}

async function recordFailed(db: Db, failed: readonly FinishedAttempt[], now: Date | null): Promise<void> {
  await sql`
    with done as (update webhook_deliveries d set
      status = case when d.attempts + 1 >= f.max_attempts then 'dead' else 'retrying' end,
      attempts = d.attempts + 1,
      due_at = ${timeOrNow(now)} + f.delay_ms * interval '1 millisecond',
      lease_until = null,
      attempted_at = ${timeOrNow(now)},
      status_code = f.status_code,
      error = f.error
    from unnest(
      ${failed.map(({ endpointId }) => endpointId)}::text[],
      ${failed.map(({ id }) => id)}::text[],
      ${failed.map(({ leaseUntil }) => leaseUntil.toISOString())}::timestamptz[],
      ${failed.map(({ statusCode }) => statusCode)}::int[],
      ${failed.map(({ error }) => error)}::text[],
      ${failed.map(({ maxAttempts }) => maxAttempts)}::int[],
      ${failed.map(({ delayMs }) => delayMs)}::int[],
      ${failed.map(({ durationMs }) => durationMs)}::int[]
    ) as f (endpoint_id, id, lease_until, status_code, error, max_attempts, delay_ms, duration_ms)
    where d.endpoint_id = f.endpoint_id and d.id = f.id and d.lease_until = f.lease_until
      and d.status in ('pending', 'retrying')
    returning d.endpoint_id, d.id, d.attempted_at, f.duration_ms, d.status_code, d.error)
    ${insertAttempts}`.execute(db)
}

/** The end of a statement whose CTE `done` contains the deliveries after the attempt. */
export const insertAttempts = sql`
  insert into webhook_attempts (endpoint_id, delivery_id, at, duration_ms, status_code, error)
  select endpoint_id, id, attempted_at, duration_ms, status_code, error from done`
