import { type RecordException, readException } from '@tallystick/record/format'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/**
 * Lists the exceptions since a time, each of which concerns earlier entries, and the exception that a record is made up, which concerns
 * all entries. `verified` are exceptions in entries whose bytes were verified, so deleting rows here cannot hide them.
 */
export async function listExceptions(
  db: Db,
  tenantId: string,
  { fromTs, verified }: { fromTs: string; verified: readonly RecordException[] },
): Promise<RecordException[]> {
  const { rows } = await sql<{ canonical: string }>`
    select r.canonical from record_exceptions e
    join receipts r on r.tenant_id = e.tenant_id and r.seq = e.seq
    where e.tenant_id = ${tenantId} and (e.ts >= ${fromTs}::timestamptz or e.event = 'demo.fill')`.execute(db)
  const found = rows.flatMap(({ canonical }) => readException(JSON.parse(canonical)) ?? [])
  const bySeq = new Map([...found, ...verified].map((exception) => [exception.seq, exception]))
  return [...bySeq.values()].filter((each) => concernsPeriod(each, fromTs)).sort((a, b) => a.seq - b.seq)
}

const concernsPeriod = ({ event, ts }: RecordException, fromTs: string) =>
  event === 'demo.fill' || ts >= fromTs
