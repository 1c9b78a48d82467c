import type { Statement } from '../../db/index.js'
import type { Tags } from '../../tags.js'
import { addSum, emptySum, type UsageSum } from './usage-sum.js'

/** What calls are counted by. Null stands for none. */
export interface Dimensions {
  tenantId: string
  keyId: string | null
  userId: string | null
  teamId: string | null
  provider: string | null
  /** In its one spelling: see `canonicalModel`. */
  model: string | null
  outcome: string | null
  tags: Tags
}

/** Calls of one combination of dimensions. `at` is in UTC, as `Date.toISOString` writes it. */
export interface CountedCalls {
  at: string
  dimensions: Dimensions
  sum: UsageSum
}

/** Hours are kept for good, with all dimensions; minutes serve the shortest range, with the first five, and are pruned. */
const rollups = [
  {
    table: 'usage_hours',
    column: 'hour',
    startOf: (at: string) => `${at.slice(0, 13)}:00:00Z`,
    further: ({ outcome, tags }: Dimensions) => [outcome ?? '', canonicalTags(tags)],
    furtherColumns: ', outcome, tags, tags_id',
    furtherKey: ', outcome, tags_id',
  },
  {
    table: 'usage_minutes',
    column: 'minute',
    startOf: (at: string) => `${at.slice(0, 16)}:00Z`,
    further: () => [],
    furtherColumns: '',
    furtherKey: '',
  },
] as const

type Rollup = (typeof rollups)[number]

interface RollupRow {
  /** The values of the primary key, in its order. */
  primaryKey: string[]
  sum: UsageSum
}

/** Adds calls to both rollups. The statements must run in one transaction, so that the rollups never disagree. */
export function addToRollups(calls: readonly CountedCalls[]): Statement[] {
  if (calls.length === 0) return []
  return [...rollups.flatMap((rollup) => upsertRows(rollup, sumRows(rollup, calls))), reopenDays(calls)]
}

/** A day that changes is not closed any more. For the usual day, which is not over, this finds nothing. */
function reopenDays(calls: readonly CountedCalls[]): Statement {
  const days = new Map<string, [tenantId: string, day: string]>()
  for (const { at, dimensions } of calls) {
    const day = at.slice(0, 10)
    days.set(`${dimensions.tenantId}\n${day}`, [dimensions.tenantId, `${day}T00:00:00Z`])
  }
  const sorted = [...days.keys()].sort().flatMap((name) => {
    const day = days.get(name)
    return day === undefined ? [] : [day]
  })
  return {
    name: 'reopen_usage_days',
    text: `delete from closed_usage_days c using unnest($1::text[], $2::timestamptz[]) as d (tenant_id, day)
      where c.tenant_id = d.tenant_id and c.day = d.day`,
    values: [sorted.map(([tenantId]) => tenantId), sorted.map(([, day]) => day)],
  }
}

/** The order of names does not matter to the database, but two texts for the same tags would be two rows in one statement. */
const canonicalTags = (tags: Tags): string =>
  JSON.stringify(tags, Object.keys(tags).length > 1 ? Object.keys(tags).sort() : undefined)

function sumRows({ startOf, further }: Rollup, calls: readonly CountedCalls[]): RollupRow[] {
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
      ...further(d),
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

const texts = new Map<string, string>()

function upsertText({ table, column, furtherColumns, furtherKey }: Rollup, rows: number): string {
  const name = `${table} ${rows}`
  const known = texts.get(name)
  if (known !== undefined) return known
  const hasTags = furtherColumns !== ''
  const columnCount = hasTags ? 18 : 16
  const tuples = Array.from({ length: rows }, (_, row) => {
    const place = (i: number) => `$${row * columnCount + i + 1}`
    const places = Array.from({ length: columnCount }, (_, i) => place(i))
    if (hasTags) places.splice(9, 0, `tags_id(${place(8)})`)
    return `(${places.join(', ')})`
  })
  const text = `insert into ${table} as u (tenant_id, ${column}, key_id, user_id, team_id, provider, model${furtherColumns}, requests,
      input_tokens, output_tokens, cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets)
    values ${tuples.join(', ')}
    on conflict (tenant_id, ${column}, key_id, user_id, team_id, provider, model${furtherKey}) do update set
      requests = u.requests + excluded.requests,
      input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens,
      cost_nanos = u.cost_nanos + excluded.cost_nanos,
      blocked = u.blocked + excluded.blocked,
      rate_limited = u.rate_limited + excluded.rate_limited,
      errors = u.errors + excluded.errors,
      latency_ms = u.latency_ms + excluded.latency_ms,
      latency_buckets = add_buckets(u.latency_buckets, excluded.latency_buckets)`
  texts.set(name, text)
  return text
}

const figureColumns = [
  'requests',
  'input_tokens',
  'output_tokens',
  'cost_nanos',
  'blocked',
  'rate_limited',
  'errors',
  'latency_ms',
]

/** Everything but the time, for statements that add rows up: as columns, as their sums, and as what they are grouped by. */
export const addedUp = {
  columns: `key_id, user_id, team_id, provider, model, outcome, tags_id, tags, ${figureColumns.join(', ')}, latency_buckets`,
  sums: `key_id, user_id, team_id, provider, model, outcome, tags_id, (array_agg(tags))[1], ${figureColumns
    .map((column) => `sum(${column})`)
    .join(', ')}, sum_buckets(latency_buckets)`,
  groups: 'key_id, user_id, team_id, provider, model, outcome, tags_id',
}
