import { CompiledQuery, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../db/index.js'
import type { Entry } from '../../record/index.js'
import { type NewCallRow, toCallRow } from './call-row.js'
import { makePartitions } from './partitions.js'
import { upsertCalls } from './projection.js'
import type { Position } from './search/position.js'

// Rows are built from receipts in small transactions that are each complete: missing rows are added, differing rows
// are rewritten, and correct ones are left alone. So it does not matter how often it runs, how many instances run
// at once, where one was killed, or what is written in the meantime: a receipt and its row are committed in one
// transaction, and building finds either both or none.

export interface BuildSpan {
  tenantId: string
  /** Exclusive. */
  afterSeq: number
  upToSeq: number
  /** Calls that were admitted earlier are past their retention and are left out. */
  notBefore: Date
}

const weekMs = 7 * 86_400_000

/** Builds the rows of a span of the record; returns how many were missing or different. */
export async function buildCalls(db: Db, span: BuildSpan): Promise<number> {
  const receipts = await readReceipts(db, span)
  const entries = receipts.map(({ canonical }): Entry => JSON.parse(canonical))
  const kept = entries.filter(({ ts }) => Date.parse(ts) >= span.notBefore.getTime())
  // This runs in a separate transaction, because creating a partition blocks writers until it is committed.
  await preparePartitions(db, kept)
  return await inTransaction(db, async (tx) => {
    if (kept.length === 0) return 0
    // A correction changes its call's row, if there is one. No correction may arrive between reading them and
    // writing the rows.
    await sql`lock table adjustments in share mode`.execute(tx)
    const adjusted = await readAdjusted(tx, span)
    const rows = kept.flatMap((entry) => toRow(span.tenantId, entry, adjusted.get(entry.seq) ?? 0) ?? [])
    const { text, values } = upsertCalls(rows)
    const { numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(text, values))
    return Number(numAffectedRows ?? 0)
  })
}

function toRow(tenantId: string, entry: Entry, adjustedNanos: number): NewCallRow | null {
  const row = toCallRow({ tenantId, seq: entry.seq, draft: entry })
  return row && { ...row, cost_nanos: row.cost_nanos + adjustedNanos }
}

/**
 * Entries of the record itself have `"kind":"control"` in their text; no value can contain it, because quotes in
 * values are escaped.
 */
async function readReceipts(db: Db, span: BuildSpan): Promise<{ canonical: string }[]> {
  const { rows } = await sql<{ canonical: string }>`
    select canonical from receipts
    where tenant_id = ${span.tenantId} and seq > ${span.afterSeq} and seq <= ${span.upToSeq}
      and strpos(canonical, '"kind":"control"') = 0
    order by seq`.execute(db)
  return rows
}

/**
 * Creates the partitions for the weeks of the calls. Calls in the future stay in the default partition, like
 * everything from a wrong clock.
 */
async function preparePartitions(db: Db, entries: readonly Entry[]): Promise<void> {
  const weeks = new Set(entries.map(({ ts }) => Math.floor(Date.parse(ts) / weekMs)))
  for (const week of weeks) {
    const since = new Date(week * weekMs)
    if (since.getTime() < Date.now()) await makePartitions(db, since, new Date(since.getTime() + weekMs - 1))
  }
}

async function readAdjusted(tx: Tx, span: BuildSpan): Promise<Map<number, number>> {
  const { rows } = await sql<{ adjusts: number; nanos: number }>`
    select adjusts, sum(cost_nanos)::bigint as nanos from adjustments
    where tenant_id = ${span.tenantId} and adjusts > ${span.afterSeq} and adjusts <= ${span.upToSeq}
    group by adjusts`.execute(tx)
  return new Map(rows.map(({ adjusts, nanos }) => [adjusts, nanos]))
}

/**
 * Deletes rows without a receipt, in the order of the table. Rows whose receipts were dropped from the record are
 * kept, because they are the only source. Returns where it ended, null at the end of the table.
 */
export async function deleteStrayCalls(
  db: Db,
  tenantId: string,
  { after, upToSeq, rows: limit }: { after: Position | null; upToSeq: number; rows: number },
): Promise<{ deleted: number; end: Position | null }> {
  const beyond =
    after === null ? sql`true` : sql`ts >= ${after.ts} and (ts, seq) > (${after.ts}, ${after.seq})`
  const { rows } = await sql<Position>`
    select ts, seq from calls where tenant_id = ${tenantId} and ${beyond} order by ts, seq limit ${limit}`.execute(
    db,
  )
  const end = rows.at(-1)
  if (end === undefined) return { deleted: 0, end: null }
  const { numAffectedRows } = await sql`
    delete from calls c where tenant_id = ${tenantId} and ${beyond} and (ts, seq) <= (${end.ts}, ${end.seq}) and ts <= ${end.ts}
      and seq <= ${upToSeq}
      and seq > coalesce((select max(size) from record_closings where tenant_id = ${tenantId}), 0)
      and not exists (select from receipts r where r.tenant_id = c.tenant_id and r.seq = c.seq and r.ts = c.ts
        and strpos(r.canonical, '"kind":"control"') = 0)`.execute(db)
  return { deleted: Number(numAffectedRows ?? 0), end }
}
