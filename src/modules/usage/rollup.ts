import { createPartedRows, createRowStatements, type KeyedRow, type Statement } from '../../db/index.js'
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

/** Where sums are written: a table with a row for each interval and combination of dimensions. */
interface Rollup {
  startOf(at: string): string
  /** Dimensions beyond the first five. */
  further(dimensions: Dimensions): string[]
  write(rows: readonly (readonly unknown[])[]): Statement[]
}

/** Kept for good, with all dimensions. */
const hours: Rollup = {
  startOf: (at) => `${at.slice(0, 13)}:00:00Z`,
  further: ({ outcome, tags }) => [outcome ?? '', canonicalTags(tags)],
  write: createRowStatements({
    name: 'upsert_usage_hours',
    columns: 18,
    tuple: (places) => `(${places.toSpliced(9, 0, `tags_id(${places[8]})`).join(', ')})`,
    text: (tuples) =>
      upsertText('usage_hours', 'hour', tuples, {
        columns: ', outcome, tags, tags_id',
        key: ', outcome, tags_id',
      }),
  }),
}

/** For the shortest range: with the first five dimensions, and pruned. */
const minutes: Rollup = {
  startOf: (at) => `${at.slice(0, 16)}:00Z`,
  further: () => [],
  write: createRowStatements({
    name: 'upsert_usage_minutes',
    columns: 16,
    text: (tuples) => upsertText('usage_minutes', 'minute', tuples, { columns: '', key: '' }),
  }),
}

/** Adds calls to the hours alone. */
export function addToHours(calls: readonly CountedCalls[]): Statement[] {
  if (calls.length === 0) return []
  return [...addTo(hours, calls), reopenDays(calls)]
}

/** Adds calls to both rollups. The statements must run in one transaction, so that the rollups never disagree. */
export function addToRollups(calls: readonly CountedCalls[]): Statement[] {
  if (calls.length === 0) return []
  return [...addTo(hours, calls), ...addTo(minutes, calls), reopenDays(calls)]
}

const addTo = (rollup: Rollup, calls: readonly CountedCalls[]): Statement[] =>
  rollup.write(sumRows(rollup, calls).map(({ values }) => values))

/** Like `addToRollups`, for a writer that adds to the same rows again and again. */
export function createRollupWriter(): typeof addToRollups {
  const writers = [hours, minutes].map((rollup) => {
    const add = createPartedRows({ write: rollup.write, ofPart })
    return (calls: readonly CountedCalls[]) => add(sumRows(rollup, calls))
  })
  return (calls) =>
    calls.length === 0 ? [] : [...writers.flatMap((write) => write(calls)), reopenDays(calls)]
}

/** Parts of an hour or minute differ by microseconds. Every query reads a range of time, so it includes all of them. */
const ofPart = ([tenantId, start, ...rest]: readonly unknown[], part: number): unknown[] => [
  tenantId,
  `${String(start).slice(0, -1)}.${String(part).padStart(6, '0')}Z`,
  ...rest,
]

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

function sumRows({ startOf, further }: Rollup, calls: readonly CountedCalls[]): KeyedRow[] {
  const rows = new Map<string, { primaryKey: string[]; sum: UsageSum }>()
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
  return [...rows.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { primaryKey, sum }]) => ({ name, values: [...primaryKey, ...figuresOf(sum)] }))
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
  `{${sum.latencyBuckets.join(',')}}`,
]

/**
 * Many rows to a statement: measured with a group of 32 rows in both tables, 4.0 ms, against 7.6 ms row by row. Arrays through
 * `unnest` take 3.7 ms, but for the usual group of one row they take half as long again (0.56 ms against 0.38).
 */
const upsertText = (
  table: string,
  column: string,
  tuples: string,
  further: { columns: string; key: string },
): string =>
  `insert into ${table} as u (tenant_id, ${column}, key_id, user_id, team_id, provider, model${further.columns}, requests,
      input_tokens, output_tokens, cost_nanos, blocked, rate_limited, errors, latency_ms, latency_buckets)
    values ${tuples}
    on conflict (tenant_id, ${column}, key_id, user_id, team_id, provider, model${further.key}) do update set ${additions}
    returning ctid::text as place`

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

/** Adds a row to the one that is there. */
const additions = [
  ...figureColumns.map((column) => `${column} = u.${column} + excluded.${column}`),
  'latency_buckets = add_buckets(u.latency_buckets, excluded.latency_buckets)',
].join(', ')

/**
 * Everything but the time, for statements that add rows up: as columns, as their sums, as what they are grouped by, and as what
 * they add to a row that is there.
 */
export const addedUp = {
  columns: `key_id, user_id, team_id, provider, model, outcome, tags_id, tags, ${figureColumns.join(', ')}, latency_buckets`,
  sums: `key_id, user_id, team_id, provider, model, outcome, tags_id, (array_agg(tags))[1], ${figureColumns
    .map((column) => `sum(${column})`)
    .join(', ')}, sum_buckets(latency_buckets)`,
  groups: 'key_id, user_id, team_id, provider, model, outcome, tags_id',
  additions,
}
