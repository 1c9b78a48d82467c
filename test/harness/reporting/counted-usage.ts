import { scopesOf } from '../../../packages/service/src/resources/budgets/index.js'
import type { TestReceipt } from '../record/receipt.js'
import type { TestDatabase } from '../service/database.js'

type Query = TestDatabase['query']

/** What was counted of a tenant: calls and cost by key, once from each table of usage, and cost by scope and day. */
export interface CountedUsage {
  hours: Record<string, string>
  minutes: Record<string, string>
  spend: Record<string, string>
}

/** Read in one statement, so that all of it is from one snapshot. */
export async function readCountedUsage(
  query: Query,
  tenantId: string,
): Promise<CountedUsage & { receipts: string }> {
  const byKey = (table: string) => `(select coalesce(json_object_agg(key_id, sums), '{}') from (
    select key_id, sum(requests) || ' calls, ' || sum(cost_nanos) || ' nanos, ' || sum(latency_ms) || ' ms, '
      || sum(latency_buckets)::text as sums
    from ${table} where tenant_id = $1 group by key_id) as k)`
  const [row] = await query<CountedUsage & { receipts: string }>(
    `select ${byKey('usage_hours')} as hours, ${byKey('usage_minutes')} as minutes,
       (select coalesce(json_object_agg(scope, nanos), '{}') from (
          select scope_type || ' ' || scope_id || ' ' || day as scope, sum(cost_nanos)::text as nanos
          from spend_days where tenant_id = $1 group by 1) as s) as spend,
       (select count(*) || ' calls, ' || coalesce(sum((canonical::json ->> 'costNanos')::bigint), 0) || ' nanos'
          from receipts where tenant_id = $1 and canonical::json ->> 'kind' <> 'control') as receipts`,
    [tenantId],
  )
  if (!row) throw new Error('A query without rows')
  return row
}

/** What spend must be, from the receipts alone. */
export function spendOf(receipts: readonly TestReceipt[]): Record<string, string> {
  const sums = new Map<string, number>()
  for (const receipt of receipts)
    for (const [type, id] of scopesOf(receipt)) {
      const scope = `${type} ${id} ${receipt.draft.ts.slice(0, 10)}`
      sums.set(scope, (sums.get(scope) ?? 0) + (receipt.draft.costNanos ?? 0))
    }
  return Object.fromEntries(
    [...sums].filter(([, nanos]) => nanos !== 0).map(([scope, nanos]) => [scope, String(nanos)]),
  )
}
