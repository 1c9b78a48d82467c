import { CompiledQuery, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../db/index.js'
import { type Entry, readDraft } from '../../ledger/index.js'
import { type NewCallRow, toCallRow } from './call-row.js'
import { makePartitions } from './partitions.js'
import type { Position } from './position.js'
import { upsertCalls } from './projection.js'

// Rows are built from receipts in small transactions, each of which leaves nothing half done: rows that are missing are added, rows that
// differ are rewritten, and what is right is left alone. So it does not matter how often it runs, how many run at once, where one was
// killed, or what is written meanwhile: a receipt and its row come in one transaction, and building finds either both or none.

export interface BuildSpan {
  tenantId: string
  /** Exclusive. */
  afterSeq: number
  upToSeq: number
  /** Calls that were admitted before it are past their time here, and are left out. */
  notBefore: Date
  /** Leaves receipts alone that have a row, whatever it says. */
  onlyMissing: boolean
}

const weekMs = 7 * 86_400_000

/**
 * Builds the rows of a span of the record; answers how many were not as they should be. `claim` is asked in the same transaction whether
 * to go on.
 */
export async function buildCalls(
  db: Db,
  span: BuildSpan,
  claim: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<number | 'not claimed'> {
  const receipts = await readReceipts(db, span)
  const entries = receipts.map(({ canonical }): Entry => JSON.parse(canonical))
  const kept = entries.filter(({ ts }) => Date.parse(ts) >= span.notBefore.getTime())
  // On their own: making one keeps writers out until it is committed.
  await preparePartitions(db, kept)
  return await inTransaction(db, async (tx) => {
    if (!(await claim(tx))) return 'not claimed'
    if (kept.length === 0) return 0
    // A correction adds to its call's row, if there is one. None may come between reading them and writing the rows.
    await sql`lock table adjustments in share mode`.execute(tx)
    const adjusted = await readAdjusted(tx, span)
    const rows = kept.flatMap((entry) => toRow(span.tenantId, entry, adjusted.get(entry.seq) ?? 0) ?? [])
    const { text, values } = upsertCalls(rows)
    const { numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(text, values))
    return Number(numAffectedRows ?? 0)
  })
}

function toRow(tenantId: string, entry: Entry, adjustedNanos: number): NewCallRow | null {
  const row = toCallRow({ tenantId, seq: entry.seq, draft: readDraft(entry) })
  return row && { ...row, cost_nanos: row.cost_nanos + adjustedNanos }
}

/** Entries of the record itself have `"kind":"control"` in their text; no value can hold that, since its quotes are escaped. */
async function readReceipts(db: Db, span: BuildSpan): Promise<{ canonical: string }[]> {
  const missing = span.onlyMissing
    ? sql`and not exists (select from calls c where c.tenant_id = r.tenant_id and c.ts = r.ts and c.seq = r.seq)`
    : sql``
  const { rows } = await sql<{ canonical: string }>`
    select canonical from receipts r
    where tenant_id = ${span.tenantId} and seq > ${span.afterSeq} and seq <= ${span.upToSeq}
      and strpos(canonical, '"kind":"control"') = 0 ${missing}
    order by seq`.execute(db)
  return rows
}

/** Of the weeks that the calls are of. Those of the future stay in the default one, like everything from a clock that is off. */
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
 * Deletes rows that no receipt stands for, in the order of the table. Those whose receipts were dropped from the record are kept: nothing else
 * knows of them any more. Answers where it ended, null at the end of the table.
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
