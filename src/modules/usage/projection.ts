import type { Statement } from '../../db/index.js'
import type { NumberedReceipt, Projection } from '../../ledger/index.js'
import { bucketOf } from './latency-buckets.js'

/** What one hour of one combination of key, user, team, provider and model adds up to. */
interface Sum {
  dimensions: string[]
  requests: number
  inputTokens: number
  outputTokens: number
  costMicros: number
  blocked: number
  errors: number
  latencyMs: number
  latencyBuckets: number[]
}

/** Usage by the hour, written in the receipts' own transaction: every dollar in it is a dollar in a receipt. */
export const projectUsage: Projection = (receipts) => {
  const sums = new Map<string, Sum>()
  for (const receipt of receipts) {
    if (receipt.draft.kind === 'control') continue
    const dimensions = dimensionsOf(receipt)
    const name = dimensions.join('\n')
    const sum = sums.get(name) ?? emptySum(dimensions)
    sums.set(name, sum)
    addReceipt(sum, receipt)
  }
  // In a fixed order, so that two replicas that write the same hours never wait for each other in a circle.
  return [...sums.keys()].sort().flatMap((name) => {
    const sum = sums.get(name)
    return sum ? [upsertHour(sum)] : []
  })
}

function dimensionsOf({ tenantId, draft }: NumberedReceipt): string[] {
  const hour = `${draft.ts.slice(0, 13)}:00:00Z`
  return [tenantId, hour, draft.key ?? '', draft.user ?? '', draft.team ?? '', draft.provider ?? '', draft.model ?? '']
}

function emptySum(dimensions: string[]): Sum {
  return {
    dimensions, requests: 0, inputTokens: 0, outputTokens: 0, costMicros: 0, blocked: 0, errors: 0, latencyMs: 0, latencyBuckets: [],
  }
}

function addReceipt(sum: Sum, { draft }: NumberedReceipt): void {
  sum.requests++
  sum.inputTokens += draft.inputTokens ?? 0
  sum.outputTokens += draft.outputTokens ?? 0
  sum.costMicros += draft.costMicros ?? 0
  if (draft.outcome === 'blocked') sum.blocked++
  if (draft.outcome === 'upstream_error' || draft.outcome === 'interrupted') sum.errors++
  const latencyMs = draft.latencyMs ?? 0
  sum.latencyMs += latencyMs
  const bucket = bucketOf(latencyMs)
  while (sum.latencyBuckets.length <= bucket) sum.latencyBuckets.push(0)
  sum.latencyBuckets[bucket] = (sum.latencyBuckets[bucket] ?? 0) + 1
}

const upsertHour = (sum: Sum): Statement => ({
  name: 'upsert_usage_hour',
  // Arrays of different lengths are added place by place; the shorter one is taken to go on with zeros.
  text: `insert into usage_hours as u (tenant_id, hour, key_id, user_id, team_id, provider, model, requests, input_tokens,
      output_tokens, cost_micros, blocked, errors, latency_ms, latency_buckets)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::integer[])
    on conflict (tenant_id, hour, key_id, user_id, team_id, provider, model) do update set
      requests = u.requests + excluded.requests,
      input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens,
      cost_micros = u.cost_micros + excluded.cost_micros,
      blocked = u.blocked + excluded.blocked,
      errors = u.errors + excluded.errors,
      latency_ms = u.latency_ms + excluded.latency_ms,
      latency_buckets = array(
        select coalesce(b.old, 0) + coalesce(b.new, 0)
        from unnest(u.latency_buckets, excluded.latency_buckets) with ordinality as b (old, new, place)
        order by b.place)`,
  values: [
    ...sum.dimensions, sum.requests, sum.inputTokens, sum.outputTokens, sum.costMicros, sum.blocked, sum.errors,
    sum.latencyMs, `{${sum.latencyBuckets.join(',')}}`,
  ],
})
