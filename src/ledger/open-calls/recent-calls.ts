import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/index.js'
import type { SpendAccount } from '../../spend-account.js'

/** Calls of one key that were admitted in the same millisecond and have their receipts. */
export interface EndedCalls {
  keyId: string
  atMs: number
  calls: number
  tokens: number
}

/** A call without a receipt, at the most that it may use. */
export interface CallUnderWay {
  id: string
  keyId: string
  atMs: number
  tokens: number
  micros: number
  accounts: SpendAccount[]
}

export interface RecentCalls {
  /** A call that was admitted by an older one and is not in these lists will not be opened. */
  generation: number
  ended: EndedCalls[]
  underWay: CallUnderWay[]
}

// The clocks of this database, of Redis and of the replicas differ; who reads this drops what is too old for it.
const lookBackSeconds = 120

/**
 * What a tenant's limits must know and no sum over the record tells. The generation is taken first; then one statement
 * reads receipts and open calls, so that a call which ends just now is in one of the two lists and not in both. A call
 * that its budget refused was never admitted.
 */
export async function readRecentCalls(db: Db, tenantId: string): Promise<RecentCalls> {
  return await inTransaction(db, async (tx) => {
    const taken = await sql<{ generation: number }>`
      update admission_generations set generation = generation + 1
      where tenant_id = ${tenantId} returning generation`.execute(tx)
    const read = await sql<Row>`
      select
        (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'draft', draft::jsonb, 'accounts', accounts::jsonb)), '[]')
         from open_calls where tenant_id = ${tenantId}) as open,
        (select coalesce(jsonb_agg(ended), '[]') from (
           select c ->> 'key' as "keyId", (extract(epoch from ts) * 1000)::bigint as "atMs", count(*) as calls,
             sum((c ->> 'inputTokens')::bigint + (c ->> 'outputTokens')::bigint) as tokens
           from (select ts, canonical::jsonb as c from receipts
                 where tenant_id = ${tenantId} and ts > now() - make_interval(secs => ${lookBackSeconds})) as recent
           where c ->> 'kind' = 'model' and not c @> '{"checks": [{"name": "budget", "result": "fail"}]}'
           group by 1, 2) as ended) as ended`.execute(tx)
    const [one] = taken.rows
    const [row] = read.rows
    if (!one || !row) throw new Error(`There is no tenant ${tenantId}`)
    return { generation: one.generation, ended: row.ended, underWay: row.open.map(toCallUnderWay) }
  })
}

interface Row {
  ended: EndedCalls[]
  open: OpenRow[]
}

interface OpenRow {
  id: string
  draft: { key: string; ts: string; inputTokens: number; outputTokens: number; costMicros: number }
  accounts: SpendAccount[]
}

const toCallUnderWay = ({ id, draft, accounts }: OpenRow): CallUnderWay => ({
  id,
  keyId: draft.key,
  atMs: Date.parse(draft.ts),
  tokens: draft.inputTokens + draft.outputTokens,
  micros: draft.costMicros,
  accounts,
})
