import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/index.js'
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

/**
 * What a tenant's limits are restored from, besides the spend. The generation is increased first; then one statement
 * reads receipts and open calls, so that a call which ends just now is in one of the two lists and not in both. Calls
 * that their budget refused are left out: they were never admitted. So are lines of batches: no limit per minute counts them.
 */
export async function readRecentCalls(db: Db, tenantId: string): Promise<RecentCalls> {
  return await inTransaction(db, async (tx) => {
    const taken = await sql<{ generation: number }>`
      update admission_generations set generation = generation + 1
      where tenant_id = ${tenantId} returning generation`.execute(tx)
    const read = await sql<Row>`
      select
        (select coalesce(jsonb_agg(draft::jsonb), '[]')
         from open_calls where tenant_id = ${tenantId}) as open,
        (select coalesce(jsonb_agg(ended), '[]') from (
           select c ->> 'key' as "keyId", c ->> 'server' as server, (extract(epoch from ts) * 1000)::bigint as "atMs", count(*) as calls,
             sum(coalesce((c ->> 'inputTokens')::bigint, 0) + coalesce((c ->> 'outputTokens')::bigint, 0)) as tokens
           from (select ts, canonical::jsonb as c from receipts
                 where tenant_id = ${tenantId} and ts > now() - make_interval(secs => ${recentSeconds})) as recent
           where c ->> 'kind' <> 'control' and not c ? 'batch' and not c @> '{"checks": [{"name": "budget", "result": "fail"}]}'
           group by 1, 2, 3) as ended) as ended`.execute(tx)
    const [one] = taken.rows
    const [row] = read.rows
    if (!one || !row) throw new Error(`There is no tenant ${tenantId}`)
    return {
      generation: one.generation,
      ended: row.ended,
      open: row.open.map((draft) => ({ tenantId, draft: readDraft(draft) })),
    }
  })
}

/** How often the tenant's limits were made stricter. */
export async function readLimitsVersion(db: Db, tenantId: string): Promise<number> {
  const { rows } = await sql<{ limits: number }>`
    select limits from admission_generations where tenant_id = ${tenantId}`.execute(db)
  return rows[0]?.limits ?? 0
}

interface Row {
  ended: EndedCalls[]
  open: ReceiptDraft[]
}
