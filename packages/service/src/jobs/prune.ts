import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.js'

/**
 * Repeats a statement until it deletes fewer rows than its limit. It runs in steps, because a statement that
 * deletes very many rows takes minutes and delays vacuum. The statement returns a row for each deleted row.
 */
export async function deleteInSteps(
  db: Db,
  rowsPerStep: number,
  statement: RawBuilder<unknown>,
): Promise<void> {
  for (let deleted = rowsPerStep; deleted >= rowsPerStep; ) {
    const { rows } = await statement.execute(db)
    deleted = rows.length
  }
}

const rowsPerStep = 1_000
// A finished job only records when its tenant was last served.
const doneHours = 24
// Kept so that people can find out why a job was abandoned.
const deadDays = 30

export const pruneJobs = (db: Db): Promise<void> =>
  deleteInSteps(
    db,
    rowsPerStep,
    sql`
      delete from jobs where id in (
        select id from jobs
        where state <> 'open' and ended_at < now() - case state
          when 'done' then ${doneHours} * interval '1 hour' else ${deadDays} * interval '1 day' end
        limit ${rowsPerStep} for update skip locked)
      returning id`,
  )
