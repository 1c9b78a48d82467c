import type { ReceiptDraft } from '@tallystick/record/format'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inBoundedSnapshot, type Tx } from '../../db/index.js'

/** The calls of one key to models, or to one tool server, that were admitted in the same millisecond and have receipts. */
export interface EndedCalls {
  keyId: string
  /** The tool server. Null for calls to models. */
  server: string | null
  atMs: number
  calls: number
  tokens: number
}

/** A call without a receipt. `draft` is recorded if its process dies, and contains the most that the call may use. */
export interface StoredOpenCall {
  tenantId: string
  draft: ReceiptDraft
}

export interface RecentCalls {
  /** A call that was admitted under an older generation and is not in these lists can no longer be opened. */
  generation: number
  /** The version of the tenant's limits at the time of the read. Every call that was admitted under an older version is in these lists. */
  limitsVersion: number
  ended: EndedCalls[]
  open: StoredOpenCall[]
}

// More than the window of a minute, because the clocks of the database, Redis and the replicas differ. The caller ignores calls that are
// too old.
const recentSeconds = 120

const defaultPageSize = 2_000

/**
 * Reads the calls from which the limits of a tenant are restored. The generation is increased first, without holding a lock afterwards.
 * Then one snapshot reads ended and open calls, so that a call that ends at this moment is in exactly one of the two lists. Calls that a
 * budget refused are left out, because they were not admitted. Lines of batches are left out, because limits per minute do not apply.
 */
export async function readRecentCalls(
  db: Db,
  tenantId: string,
  pageSize: number = defaultPageSize,
): Promise<RecentCalls> {
  const updated = await sql<{ generation: number; limits: number }>`
    update admission_generations set generation = generation + 1
    where tenant_id = ${tenantId} returning generation, limits`.execute(db)
  const [versions] = updated.rows
  if (!versions) throw new Error(`There is no tenant ${tenantId}`)
  return await inBoundedSnapshot(db, async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    const ended = await readEnded(tx, tenantId, pageSize)
    const open = await readOpen(tx, tenantId, pageSize)
    return { generation: versions.generation, limitsVersion: versions.limits, ended, open }
  })
}

async function readEnded(tx: Tx, tenantId: string, pageSize: number): Promise<EndedCalls[]> {
  const ended: EndedCalls[] = []
  for await (const page of fetchPages(tx, endedCalls(tenantId), pageSize))
    for (const { key, server, at, tokens } of page)
      ended.push({ keyId: key, server, atMs: Number(at), calls: 1, tokens: Number(tokens) })
  return ended
}

/**
 * Plan: a scan of the primary key of `calls`, which is as fast without vacuum and statistics. Rows are not grouped, because few calls share
 * a millisecond. Numbers are selected as text, which the driver does not convert.
 */
export const endedCalls = (tenantId: string) => sql<EndedRow>`
  select key_id as key, server, (extract(epoch from ts) * 1000)::bigint::text as at, (input_tokens + output_tokens)::text as tokens
  from calls
  where tenant_id = ${tenantId} and ts > now() - make_interval(secs => ${recentSeconds}) and admitted and batch is null`

async function readOpen(tx: Tx, tenantId: string, pageSize: number): Promise<StoredOpenCall[]> {
  const open: StoredOpenCall[] = []
  const drafts = sql<{ draft: string }>`select draft from open_calls where tenant_id = ${tenantId}`
  for await (const page of fetchPages(tx, drafts, pageSize))
    for (const { draft } of page) open.push({ tenantId, draft: JSON.parse(draft) })
  return open
}

/** Between two pages others have their turn on this thread. */
async function* fetchPages<Row>(tx: Tx, query: RawBuilder<Row>, pageSize: number): AsyncGenerator<Row[]> {
  await sql`declare pages no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.raw(String(pageSize))} from pages`.execute(tx)
    yield rows
    if (rows.length < pageSize) break
  }
  await sql`close pages`.execute(tx)
}

/** Returns how often the limits of a tenant were made stricter. */
export async function readLimitsVersion(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ limits: number }>`
    select limits from admission_generations where tenant_id = ${tenantId}`.execute(db)
  return rows[0]?.limits ?? 0
}

interface EndedRow {
  key: string
  server: string | null
  at: string
  tokens: string
}
