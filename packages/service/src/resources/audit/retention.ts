import { sql } from 'kysely'
import { type Db, type Periodic, startPeriodic } from '../../db/index.js'

const everyMs = 3_600_000
const entriesPerStep = 5_000

export interface AuditRetentionOptions {
  db: Db
  retentionDays: number
  now(): Date
  onError(error: unknown): void
}

export function startAuditRetention({ db, retentionDays, now, onError }: AuditRetentionOptions): Periodic {
  const run = () => dropOldAudit(db, new Date(now().getTime() - retentionDays * 86_400_000))
  return startPeriodic({ run, everyMs, startsAtOnce: true, onError })
}

export async function dropOldAudit(db: Db, before: Date, perStep = entriesPerStep): Promise<void> {
  for (let dropped = perStep; dropped >= perStep; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from audit_log where ctid = any(array(
        select ctid from audit_log where at < ${before} limit ${perStep} for update skip locked))`.execute(db)
    dropped = Number(numAffectedRows)
  }
}
