import { createRowStatements, type Statement } from '../../../db/index.js'
import { type CountedCalls, canonicalTags } from './counted-calls.js'
import { writeBuckets } from './latency-buckets.js'
import { addSum, emptySum, type UsageSum } from './usage-sum.js'

/** A counted receipt, or a correction of one. */
export interface CountedReceipt extends CountedCalls {
  seq: number
  /** Spend is counted by session, usage is not. */
  session: string | null
}

const insertDeltas = createRowStatements({
  name: 'insert_usage_deltas',
  columns: 19,
  text: (tuples) =>
    `insert into usage_deltas (tenant_id, minute, key_id, user_id, team_id, provider, model, outcome, session, tags, seq, requests,
      input_tokens, output_tokens, cost_nanos, blocked, errors, latency_ms, latency_buckets) values ${tuples}`,
})

/**
 * Appends one row for each minute and combination of dimensions, which counts for usage and for spend. Rows are
 * only appended, so a write costs the same however long a snapshot is open, and no writer waits for another one's
 * row. `foldTenant` adds them to the totals.
 */
export function appendDeltas(receipts: readonly CountedReceipt[]): Statement[] {
  const rows = new Map<string, { key: unknown[]; sum: UsageSum }>()
  for (const { seq, at, dimensions: d, session, sum } of receipts) {
    const key = [
      d.tenantId,
      `${at.slice(0, 16)}:00Z`,
      d.keyId ?? '',
      d.userId ?? '',
      d.teamId ?? '',
      d.provider ?? '',
      d.model ?? '',
      d.outcome ?? '',
      session ?? '',
      canonicalTags(d.tags),
    ]
    const name = JSON.stringify(key)
    const row = rows.get(name) ?? { key: [...key, seq], sum: emptySum() }
    rows.set(name, row)
    addSum(row.sum, sum)
  }
  return insertDeltas(
    [...rows.values()].map(({ key, sum }) => [
      ...key,
      sum.requests,
      sum.inputTokens,
      sum.outputTokens,
      sum.costNanos,
      sum.blocked,
      sum.errors,
      sum.latencyMs,
      writeBuckets(sum.latencyBuckets),
    ]),
  )
}
