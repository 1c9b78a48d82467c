import { sql } from 'kysely'
import { type Db, type Periodic, startPeriodic } from '../../db/index.js'

const intervalMs = 3_600_000
// Providers keep answers for 30 days.
const retentionDays = 31

export function startPruningReferences({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic {
  const run = async () => {
    await sql`delete from issued_references where created_at < now() - make_interval(days => ${retentionDays})`.execute(
      db,
    )
  }
  return startPeriodic({ run, everyMs: intervalMs, onError })
}
