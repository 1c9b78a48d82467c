import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/** From one time up to, but not including, another; both in the format of an entry's `ts`. */
export interface TimeSpan {
  fromTs: string
  toTs: string
}

export interface SeqSpan {
  fromSeq: number
  /** Below `fromSeq` when there is no entry in the span. */
  toSeq: number
}

/** Between two calls that were admitted at the same time, at most this many others are recorded. */
const maxDisorder = 1_000

/**
 * A period begins with the first entry that was admitted in it, and lasts until the first that was admitted after it.
 * Entries are in the order in which calls ended, so around midnight entries of both days are mixed. With this rule each
 * entry is in one period, and no two periods overlap.
 *
 * Times come from the entries themselves, since a column could have been changed. They are nearly sorted, so binary
 * search works: 24 reads of one row for ten million entries.
 */
export async function findPeriod(
  db: Db,
  tenant: string,
  kept: { droppedTo: number; size: number },
  { fromTs, toTs }: TimeSpan,
): Promise<SeqSpan> {
  const fromSeq = await findFirst(db, tenant, kept, fromTs)
  const end = await findFirst(db, tenant, kept, toTs)
  // Entries that are missing at the end of a period may have been in it: it ends before the next one that exists.
  const next = end <= kept.size ? await readEntry(db, tenant, end, kept.size) : undefined
  return { fromSeq, toSeq: (next?.seq ?? kept.size + 1) - 1 }
}

/** The first entry that was not admitted before `ts`; `size` + 1 when there is none. */
async function findFirst(
  db: Db,
  tenant: string,
  { droppedTo, size }: { droppedTo: number; size: number },
  ts: string,
): Promise<number> {
  let low = droppedTo + 1
  let high = size + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = await readEntry(db, tenant, middle, high - 1)
    if (entry && entry.ts < ts) low = entry.seq + 1
    else high = middle
  }
  for (let found: number | null = high; found !== null; ) {
    high = found
    found = await readEarliest(db, tenant, { after: high - 1 - maxDisorder, before: high }, ts)
  }
  return high
}

// Finds the member and no text within another one: there the quotes are escaped.
const ts = sql<string>`substring(canonical from '"ts":"([^"]*)"') collate "C"`

/** The entry with this number or, if that is missing, the next one. */
async function readEntry(
  db: Db,
  tenant: string,
  seq: number,
  upTo: number,
): Promise<{ seq: number; ts: string } | undefined> {
  const { rows } = await sql<{ seq: number; ts: string | null }>`
    select seq, ${ts} as ts from receipts
    where tenant_id = ${tenant} and seq >= ${seq} and seq <= ${upTo} order by seq limit 1`.execute(db)
  const [row] = rows
  return row && { seq: row.seq, ts: row.ts ?? '' }
}

async function readEarliest(
  db: Db,
  tenant: string,
  { after, before }: { after: number; before: number },
  from: string,
): Promise<number | null> {
  const { rows } = await sql<{ seq: number | null }>`
    select min(seq) as seq from receipts
    where tenant_id = ${tenant} and seq > ${after} and seq < ${before} and ${ts} >= ${from}`.execute(db)
  return rows[0]?.seq ?? null
}
