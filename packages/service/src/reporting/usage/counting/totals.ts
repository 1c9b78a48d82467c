import { createRowStatements, type Statement } from '../../../db/index.js'
import { type CountedCalls, canonicalTags, type Dimensions, sumByKey } from './counted-calls.js'
import { writeBuckets } from './latency-buckets.js'
import type { UsageSum } from './usage-sum.js'

// Adds calls to the totals directly. Receipts are appended as deltas instead; this is for refusals, which have no
// receipt, and for recounting an hour. Callers must hold the lock of `lockForCounting`.

/** A table of totals, with a row for each interval and combination of dimensions. */
interface Totals {
  startOf(at: string): string
  /** Dimensions beyond the first five. */
  further(dimensions: Dimensions): string[]
  write(rows: readonly (readonly unknown[])[]): Statement[]
}

/** Kept permanently, with all dimensions. */
const hours: Totals = {
  startOf: (at) => `${at.slice(0, 13)}:00:00Z`,
  further: ({ outcome, tags }) => [outcome ?? '', canonicalTags(tags)],
  write: createRowStatements({
    name: 'upsert_usage_hours',
    columns: 18,
    tuple: (places) => `(${places.toSpliced(9, 0, `tags_id(${places[8]})`).join(', ')})`,
    text: (tuples) =>
      upsertText('folded_usage_hours', 'hour', tuples, {
        columns: ', outcome, tags, tags_id',
        key: ', outcome, tags_id',
      }),
  }),
}

/** For the shortest range: with the first five dimensions, and pruned. */
const minutes: Totals = {
  startOf: (at) => `${at.slice(0, 16)}:00Z`,
  further: () => [],
  write: createRowStatements({
    name: 'upsert_usage_minutes',
    columns: 16,
    text: (tuples) => upsertText('folded_usage_minutes', 'minute', tuples, { columns: '', key: '' }),
  }),
}

/** Adds calls to the hours only. */
export const addToHours = (calls: readonly CountedCalls[]): Statement[] => addTo([hours], calls)

/** Adds calls to the hours and minutes. The statements must run in one transaction, so that the two never disagree. */
export const addToTotals = (calls: readonly CountedCalls[]): Statement[] => addTo([hours, minutes], calls)

function addTo(tables: readonly Totals[], calls: readonly CountedCalls[]): Statement[] {
  if (calls.length === 0) return []
  const added = tables.flatMap(({ startOf, further, write }) =>
    write(
      sumByKey(calls, ({ at, dimensions: d }) => [
        d.tenantId,
        startOf(at),
        d.keyId ?? '',
        d.userId ?? '',
        d.teamId ?? '',
        d.provider ?? '',
        d.model ?? '',
        ...further(d),
      ]).map(({ key, sum }) => [...key, ...figuresOf(sum)]),
    ),
  )
  return [...added, reopenDays(calls)]
}

/** A day that changes is reopened. */
function reopenDays(calls: readonly CountedCalls[]): Statement {
  const days = new Map<string, [tenantId: string, day: string]>()
  for (const { at, dimensions } of calls) {
    const day = at.slice(0, 10)
    days.set(`${dimensions.tenantId}\n${day}`, [dimensions.tenantId, `${day}T00:00:00Z`])
  }
  const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, day]) => day)
  return {
    text: `delete from closed_usage_days c using unnest($1::text[], $2::timestamptz[]) as d (tenant_id, day)
      where c.tenant_id = d.tenant_id and c.day = d.day`,
    values: [sorted.map(([tenantId]) => tenantId), sorted.map(([, day]) => day)],
  }
}

const figuresOf = (sum: UsageSum): unknown[] => [
  sum.requests,
  sum.inputTokens,
  sum.outputTokens,
  sum.costNanos,
  sum.blocked,
  sum.rateLimited,
  sum.errors,
  sum.latencyMs,
  writeBuckets(sum.latencyBuckets),
]

const upsertText = (
  table: string,
  column: string,
  tuples: string,
  further: { columns: string; key: string },
): string =>
  `insert into ${table} as u (tenant_id, ${column}, key_id, user_id, team_id, provider, model${further.columns}, requests,
      input_tokens, output_tokens, cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets)
    values ${tuples}
    on conflict (tenant_id, ${column}, key_id, user_id, team_id, provider, model${further.key}) do update set ${additions}`

export const figureColumns = [
  'requests',
  'input_tokens',
  'output_tokens',
  'cost_nanos',
  'blocked',
  'rate_limited',
  'errors',
  'latency_ms',
  'latency_buckets',
]

/** Adds a row to an existing one. */
export const additions = figureColumns
  .map((column) => `${column} = u.${column} + excluded.${column}`)
  .join(', ')

const figureSums = figureColumns.map((column) => `sum(${column})`).join(', ')
const minuteDimensions = 'key_id, user_id, team_id, provider, model'
const hourDimensions = `${minuteDimensions}, outcome, tags_id`

/**
 * Everything except the time, for statements that add rows up: as columns, as their sums, as grouping keys, and as
 * additions to an existing row.
 */
export const hourColumns = {
  columns: `${hourDimensions}, tags, ${figureColumns.join(', ')}`,
  sums: `${hourDimensions}, (array_agg(tags))[1], ${figureSums}`,
  groups: hourDimensions,
  additions,
}

/** Totals per minute, which have fewer dimensions. */
export const minuteColumns = {
  columns: `${minuteDimensions}, ${figureColumns.join(', ')}`,
  sums: `${minuteDimensions}, ${figureSums}`,
  groups: minuteDimensions,
  additions,
}
