import type { ReceiptDraft } from '@tallystick/record/format'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inBoundedSnapshot, type Tx } from '../../db/index.js'

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
  /** The version of the tenant's limits when the calls were read: every call that an older version admitted is in these lists. */
  limitsVersion: number
  ended: EndedCalls[]
  open: StoredOpenCall[]
}

// More than the window of a minute, since the clocks of the database, Redis and the replicas differ. The caller ignores
// what is too old.
const recentSeconds = 120

const defaultPageSize = 2_000

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
 * Plan: a scan of the primary key of `calls`, as good without a vacuum and without statistics. Not grouped, since few calls share a
 * millisecond, and numbers as text, which the driver leaves alone.
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

/** How often the tenant's limits were made stricter. */
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
