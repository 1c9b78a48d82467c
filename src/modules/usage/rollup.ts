import type { Statement } from '../../db/index.js'
import { addSum, emptySum, type UsageSum } from './usage-sum.js'

/** Everything that usage can be grouped by. Null stands for none. */
export interface Dimensions {
  tenantId: string
  keyId: string | null
  userId: string | null
  teamId: string | null
  provider: string | null
  model: string | null
}

/** Calls of one combination of dimensions. `at` is in UTC, as `Date.toISOString` writes it. */
export interface CountedCalls {
  at: string
  dimensions: Dimensions
  sum: UsageSum
}

/** Hours are kept for good; minutes serve the shortest range and are pruned. */
const rollups = [
  { table: 'usage_hours', column: 'hour', startOf: (at: string) => `${at.slice(0, 13)}:00:00Z` },
  { table: 'usage_minutes', column: 'minute', startOf: (at: string) => `${at.slice(0, 16)}:00Z` },
] as const

type Rollup = (typeof rollups)[number]

interface RollupRow {
  /** The values of the primary key, in its order. */
  primaryKey: string[]
  sum: UsageSum
}

/** Adds calls to both rollups. The statements must run in one transaction, so that the rollups never disagree. */
export function addToRollups(calls: readonly CountedCalls[]): Statement[] {
  return rollups.flatMap((rollup) => upsertRows(rollup, sumRows(rollup, calls)))
}

function sumRows({ startOf }: Rollup, calls: readonly CountedCalls[]): RollupRow[] {
  const rows = new Map<string, RollupRow>()
  for (const { at, dimensions: d, sum } of calls) {
    const primaryKey = [
      d.tenantId,
      startOf(at),
      d.keyId ?? '',
      d.userId ?? '',
      d.teamId ?? '',
      d.provider ?? '',
      d.model ?? '',
    ]
    const name = JSON.stringify(primaryKey)
    const row = rows.get(name) ?? { primaryKey, sum: emptySum() }
    rows.set(name, row)
    addSum(row.sum, sum)
  }
  // Sorted, so that two replicas that write the same rows cannot deadlock.
  return [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

const maxRowsPerStatement = 64

/**
 * Rows are written in statements of 64, 32, 16, … rows: few distinct statements, so that each stays prepared on the server.
 * Measured with a group of 32 rows in both tables: 4.0 ms, against 7.6 ms row by row. Arrays through `unnest` take 3.7 ms,
 * but for the usual group of one row they take half as long again (0.56 ms against 0.38).
 */
function upsertRows(rollup: Rollup, rows: readonly RollupRow[]): Statement[] {
  const statements: Statement[] = []
  for (let start = 0; start < rows.length; ) {
    const count = Math.min(maxRowsPerStatement, 2 ** Math.floor(Math.log2(rows.length - start)))
    const values = rows.slice(start, start + count).flatMap(valuesOf)
    statements.push({ name: `upsert_${rollup.table}_${count}`, text: upsertText(rollup, count), values })
    start += count
  }
  return statements
}

const valuesOf = ({ primaryKey, sum }: RollupRow): unknown[] => [
  ...primaryKey,
  sum.requests,
  sum.inputTokens,
  sum.outputTokens,
  sum.costNanos,
  sum.blocked,
  sum.rateLimited,
  sum.errors,
  sum.latencyMs,
  `{${sum.latencyBuckets.join(',')}}`,
]

const columnCount = 16
const texts = new Map<string, string>()

function upsertText({ table, column }: Rollup, rows: number): string {
  const name = `${table} ${rows}`
  const known = texts.get(name)
  if (known !== undefined) return known
  const tuples = Array.from(
    { length: rows },
    (_, row) =>
      `(${Array.from({ length: columnCount }, (_, i) => `$${row * columnCount + i + 1}`).join(', ')})`,
  )
  // Arrays are added element by element; the shorter one is padded with zeros.
  const text = `insert into ${table} as u (tenant_id, ${column}, key_id, user_id, team_id, provider, model, requests,
      input_tokens, output_tokens, cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets)
    values ${tuples.join(', ')}
    on conflict (tenant_id, ${column}, key_id, user_id, team_id, provider, model) do update set
      requests = u.requests + excluded.requests,
      input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens,
      cost_nanos = u.cost_nanos + excluded.cost_nanos,
      blocked = u.blocked + excluded.blocked,
      rate_limited = u.rate_limited + excluded.rate_limited,
      errors = u.errors + excluded.errors,
      latency_ms = u.latency_ms + excluded.latency_ms,
      latency_buckets = array(
        select coalesce(b.old, 0) + coalesce(b.new, 0)
        from unnest(u.latency_buckets, excluded.latency_buckets) with ordinality as b (old, new, index)
        order by b.index)`
  texts.set(name, text)
  return text
}
