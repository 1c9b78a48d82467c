import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import type { Mark, MarkStore } from './mark.js'

interface Row {
  tenant: string
  source: string
  size: number
  last: string | null
  root: string | null
  markedAt: Date
}

/** Reports marks that this database contradicts, so that an operator who accepts the restore elsewhere learns of them. */
export async function reportMarks(db: Db, dataDir: string, marks: readonly Mark[]): Promise<void> {
  // Several replicas may run on one machine.
  const source = `${hostname()}:${dataDir}`
  for (const { tenant, size, last, root, atMs } of marks)
    await sql`
      insert into contradicted_marks as m (tenant_id, source, size, last, root, marked_at)
      values (${tenant}, ${source}, ${size}, ${last}, ${root}, ${new Date(atMs)})
      on conflict (tenant_id, source) do update
      set size = excluded.size, last = excluded.last, root = excluded.root, marked_at = excluded.marked_at
      where m.size < excluded.size`.execute(db)
}

/** What each replica has reported. The record names a replica by its machine only: a path is nobody else's concern. */
export async function readReportedMarks(db: Db): Promise<MarkStore[]> {
  const { rows } = await sql<Row>`
    select tenant_id as tenant, source, size, last, root, marked_at as "markedAt"
    from contradicted_marks order by source, tenant_id`.execute(db)
  const bySource = new Map<string, Mark[]>()
  for (const { source, markedAt, ...row } of rows) {
    const marks = bySource.get(source) ?? []
    marks.push({ ...row, atMs: markedAt.getTime(), acceptedMs: 0 })
    bySource.set(source, marks)
  }
  return [...bySource].map(([source, marks]) => ({
    name: `the replica ${source}`,
    label: `replica on ${source.slice(0, source.indexOf(':'))}`,
    read: async () => marks,
    write: null,
  }))
}
