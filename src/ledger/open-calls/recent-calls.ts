import { sql } from 'kysely'
import { boundIdleTime, type Db, inSnapshot, type Tx } from '../../db/index.js'
import { type ReceiptDraft, readDraft } from '../format/entry.js'

/** Calls of one key, to models or to one server of tools, that were admitted in the same millisecond and have their receipts. */
export interface EndedCalls {
  keyId: string
  /** Of tool calls. */
  server: string | null
  atMs: number
  calls: number
  tokens: number
}

/** A call without a receipt. `draft` is what is recorded if its process dies: the most that it may use. */
export interface StoredOpenCall {
  tenantId: string
  draft: ReceiptDraft
}

export interface RecentCalls {
  /** A call that an older generation admitted, and that is not in these lists, cannot be opened any more. */
  generation: number
  ended: EndedCalls[]
  open: StoredOpenCall[]
}

// More than the window of a minute, since the clocks of the database, Redis and the replicas differ. The caller ignores
// what is too old.
const recentSeconds = 120

const defaultPageSize = 5_000
const draftsPerFetch = 1_000

/**
 * What a tenant's limits are restored from, besides the spend. The generation is increased first, and nothing is locked after that;
 * then one snapshot reads ended and open calls, so that a call which ends just now is in one of the two lists and not in both. Calls
 * that their budget refused are left out: they were never admitted. So are lines of batches: no limit per minute counts them.
 */
export async function readRecentCalls(
  db: Db,
  tenantId: string,
  pageSize: number = defaultPageSize,
): Promise<RecentCalls> {
  const taken = await sql<{ generation: number }>`
    update admission_generations set generation = generation + 1
    where tenant_id = ${tenantId} returning generation`.execute(db)
  const [one] = taken.rows
  if (!one) throw new Error(`There is no tenant ${tenantId}`)
  return await inSnapshot(db, async (tx) => {
    await boundIdleTime(tx)
    await sql`set local enable_seqscan = off`.execute(tx)
    const open = await readOpen(tx, tenantId)
    return { generation: one.generation, ended: await readEnded(tx, tenantId, pageSize), open }
  })
}

/** In pages, between which others have their turn on this thread. */
async function readEnded(tx: Tx, tenantId: string, pageSize: number): Promise<EndedCalls[]> {
  const ended: EndedCalls[] = []
  for (let after: Position = { ts: null, seq: 0 }; ; ) {
    const { rows } = await endedPage(tenantId, after, pageSize).execute(tx)
    const [page] = rows
    if (!page?.ts) return ended
    for (const [keyId, server, atMs, calls, tokens] of page.ended)
      ended.push({ keyId, server, atMs, calls, tokens })
    after = page
  }
}

/**
 * Plan: a scan of the primary key of `calls`, in its order, from the last call of the page before; as fast without a vacuum or
 * statistics. As one JSON text for a page: 5,000 rows of their own took the driver four times as long to read.
 */
export const endedPage = (tenantId: string, { ts, seq }: Position, pageSize: number) => sql<EndedPage>`
  with page as materialized (
    select ts, seq, key_id, server, batch, admitted, input_tokens + output_tokens as tokens from calls
    where tenant_id = ${tenantId} and ts > now() - make_interval(secs => ${recentSeconds})
      and (ts, seq) > (coalesce(${ts}::timestamptz, '-infinity'), ${seq}::bigint)
    order by ts, seq limit ${pageSize})
  select last.ts::text as ts, last.seq,
    (select coalesce(json_agg(json_build_array(key_id, server, at_ms, calls, tokens)), '[]') from (
       select key_id, server, (extract(epoch from ts) * 1000)::bigint as at_ms, count(*) as calls, sum(tokens) as tokens
       from page where admitted and batch is null group by 1, 2, 3) as ended) as ended
  from (select ts, seq from page order by ts desc, seq desc limit 1) as last`

async function readOpen(tx: Tx, tenantId: string): Promise<StoredOpenCall[]> {
  await sql`declare open_drafts no scroll cursor for
    select draft from open_calls where tenant_id = ${tenantId}`.execute(tx)
  const open: StoredOpenCall[] = []
  for (;;) {
    const { rows } = await sql<{
      draft: string
    }>`fetch ${sql.raw(String(draftsPerFetch))} from open_drafts`.execute(tx)
    for (const { draft } of rows) open.push({ tenantId, draft: readDraft(JSON.parse(draft)) })
    if (rows.length < draftsPerFetch) return open
  }
}

/** How often the tenant's limits were made stricter. */
export async function readLimitsVersion(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ limits: number }>`
    select limits from admission_generations where tenant_id = ${tenantId}`.execute(db)
  return rows[0]?.limits ?? 0
}

interface Position {
  /** As the database writes it; null before the first. */
  ts: string | null
  seq: number
}

interface EndedPage extends Position {
  ended: [keyId: string, server: string | null, atMs: number, calls: number, tokens: number][]
}
