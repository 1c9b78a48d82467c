import { type CostLine, costLines, type Price } from '@tallystick/record/pricing'
import { sql } from 'kysely'
import { type CallRow, type Db, inSnapshot } from '../../db/index.js'
import { isOwnedBy, type Owner, toUsd } from '../../http/index.js'
import { type Entry, type EntryCheck, findPrice, findReceipt } from '../../record/index.js'
import { type FindName, namesAt, type WantedName } from '../../resources/names/index.js'
import { notFound } from '../../shared/errors.js'
import { policyIdOf } from './call-row.js'
import { namesOf, presentCache, presentCall } from './present.js'
import type { CallDetail } from './schema.js'
import { isAtPosition, locateCall } from './search/locate.js'
import { readStages } from './stage-times.js'

/**
 * Returns a call with the details of its last attempt's receipt. Without the receipt, which may have been dropped
 * from the record, only the row is used.
 */
export async function readCall(
  db: Db,
  tenantId: string,
  { own, requestId }: { own: Owner | null; requestId: string },
): Promise<Omit<CallDetail, 'content'>> {
  return await inSnapshot(db, async (tx) => {
    const attempts = await findAttempts(tx, tenantId, requestId)
    const row = attempts.at(-1)
    if (!row || (own !== null && !isOwnedBy(own, { userId: row.user_id, keyId: row.key_id })))
      throw notFound('call')
    const entry = await findEntry(tx, tenantId, row.seq)
    const wanted = (entry?.checks ?? []).flatMap(({ policy }): WantedName[] =>
      policy === undefined ? [] : [{ type: 'policy', id: policyIdOf(policy), at: row.ts }],
    )
    const find = await namesAt(tx, tenantId, [...namesOf(row), ...wanted])
    const price = entry?.price === undefined ? null : await findPrice(tx, tenantId, entry.price)
    return {
      ...presentCall(row, find),
      receipt: { seq: row.seq, state: entry ? 'kept' : 'dropped' },
      fault: entry?.fault ?? null,
      checks: entry ? (entry.checks ?? []).map((check) => presentCheck(check, row.ts, find)) : null,
      attempts: attempts.map(presentAttempt),
      counts: entry?.counts ? { ...entry.counts } : null,
      tier: entry?.tier ?? null,
      price: entry?.price === undefined ? null : { hash: entry.price, terms: price && { ...price } },
      costLines: presentCostLines(entry, price),
      stages: row.stage_ends && readStages(row.stage_ends),
      prompt:
        entry?.promptId === undefined ? null : { id: entry.promptId, version: entry.promptVersion ?? null },
      corrections: await readCorrections(tx, tenantId, row.seq),
    }
  })
}

async function findAttempts(db: Db, tenantId: string, requestId: string): Promise<CallRow[]> {
  const positions = await locateCall(db, tenantId, requestId)
  if (positions.length === 0) return []
  return await db
    .selectFrom('calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(isAtPosition(positions))
    .orderBy('attempt')
    .execute()
}

async function findEntry(db: Db, tenantId: string, seq: number): Promise<Entry | null> {
  const receipt = await findReceipt(db, tenantId, seq)
  return receipt ? JSON.parse(receipt.canonical) : null
}

/** `pol_…@3` names the version that judged the call. */
function presentCheck({ policy, ...check }: EntryCheck, at: Date, find: FindName) {
  const [policyId = null, version] = policy?.split('@') ?? []
  return {
    name: check.name,
    applicable: check.applicable,
    result: check.result,
    action: check.action ?? null,
    policyId,
    policyVersion: version === undefined ? null : Number(version),
    policyName: policyId === null ? null : find({ type: 'policy', id: policyId, at }),
  }
}

const presentAttempt = (row: CallRow) => ({
  attempt: row.attempt,
  provider: row.provider,
  model: row.model,
  upstream: row.upstream,
  status: row.status,
  outcome: row.outcome,
  toolError: row.tool_error,
  rpcCode: row.rpc_code,
  cache: presentCache(row),
  latencyMs: row.latency_ms,
  costUsd: toUsd(row.cost_nanos),
  receiptSeq: row.seq,
})

function presentCostLines(entry: Entry | null, price: Price | null): CallDetail['costLines'] {
  if (!entry?.counts || price === null) return null
  return costLines(price, entry.counts, entry.tier ?? null).map(presentCostLine)
}

// A rate is in picodollars for one unit, so a million units cost the same number of microdollars.
const presentCostLine = ({ kind, count, picosEach, picos }: CostLine) => ({
  kind,
  count,
  usdPerMillion: picosEach / 1e6,
  usd: picos / 1e12,
})

async function readCorrections(db: Db, tenantId: string, seq: number): Promise<CallDetail['corrections']> {
  const { rows } = await sql<{ seq: number; cost_nanos: number; canonical: string | null }>`
    select a.seq, a.cost_nanos, r.canonical
    from adjustments a left join receipts r on r.tenant_id = a.tenant_id and r.seq = a.seq
    where a.tenant_id = ${tenantId} and a.adjusts = ${seq} order by a.seq`.execute(db)
  return rows.map((row) => {
    const entry: Entry | null = row.canonical === null ? null : JSON.parse(row.canonical)
    return {
      receiptSeq: row.seq,
      differenceUsd: toUsd(row.cost_nanos),
      ts: entry?.ts ?? null,
      reason: entry?.reason ?? null,
    }
  })
}
