import { type RawBuilder, sql } from 'kysely'
import { latencyBucketCount, writeBuckets } from '../counting/latency-buckets.js'
import type { Summary } from '../counting/summaries.js'
import { errorOutcomes } from '../counting/usage-sum.js'
import { conditionIn, type Dimension, type Selection, valueIn } from '../query/dimensions.js'
import type { Piece, Source } from '../query/pieces.js'

/** The rows of one source that a report reads, as SQL. */

interface StoredSource {
  table: string
  /** The column with the time of a row. */
  time: string
  /** The suffix of the detail in `usage_summaries`. */
  interval?: 'days' | 'hours'
}

const stored: Record<Source, StoredSource> = {
  usage_days: { table: 'usage_days', time: 'day' },
  usage_hours: { table: 'usage_hours', time: 'hour' },
  usage_minutes: { table: 'usage_minutes', time: 'minute' },
  summary_days: { table: 'usage_summaries', time: 'start', interval: 'days' },
  summary_hours: { table: 'usage_summaries', time: 'start', interval: 'hours' },
  calls: { table: 'calls', time: 'ts' },
}

/** The values of a group's dimensions, in order. */
export type GroupKey = readonly (string | null)[]

export interface Reading {
  selection: Selection
  dimensions: readonly Dimension[]
  /** The summary that answers for closed days, if one has all columns. */
  summary: Summary | null
}

export const tableOf = (source: Source): RawBuilder<unknown> => sql.table(stored[source].table)

/** Returns the condition for the rows of `p.since` up to `p.until` that a report selects. */
export function within(
  source: Source,
  { selection, summary }: Pick<Reading, 'selection' | 'summary'>,
): RawBuilder<boolean> {
  const { time, interval } = stored[source]
  const at = sql.ref(time)
  const detail = interval === undefined ? sql`true` : sql`detail = ${`${summary}_${interval}`}`
  return sql`tenant_id = ${selection.tenantId} and ${detail} and ${at} >= p.since and ${at} < p.until
    and ${conditionIn(source, selection)}`
}

export const arrayOf = (values: readonly RawBuilder<string | null>[]) =>
  values.length === 0 ? sql`array[]::text[] as key` : sql`array[${sql.join(values)}]::text[] as key`

export const unnested = (pieces: readonly Omit<Piece, 'source'>[]) => sql`unnest(
  ${pieces.map(({ fromMs }) => new Date(fromMs).toISOString())}::timestamptz[],
  ${pieces.map(({ toMs }) => new Date(toMs).toISOString())}::timestamptz[],
  ${pieces.map(({ point }) => point)}::integer[]) as p (since, until, point)`

/** Compares texts that are never null, so that the list is hashed. */
export function isIn(
  values: readonly RawBuilder<string | null>[],
  keys: readonly GroupKey[],
): RawBuilder<boolean> {
  const asText = (value: string | null | undefined) =>
    value === null || value === undefined ? '' : `=${value}`
  const lists = values.map((_, i) => sql`${keys.map((key) => asText(key[i]))}::text[]`)
  return sql`(${sql.join(values.map((value) => sql`coalesce('=' || (${value}), '')`))})
    in (select * from unnest(${sql.join(lists)}))`
}

/** The names under which the figures of a row are summed. */
export const figures = [
  'requests',
  'input_tokens',
  'output_tokens',
  'cost_nanos',
  'blocked',
  'errors',
  'latency_ms',
  'latency_buckets',
  'rate_limited',
] as const

const rollupFigures = sql.raw(
  figures.map((name) => (name === 'rate_limited' ? '0::bigint' : name)).join(', '),
)
const refusalFigures = sql.raw(
  figures
    .map((name) => (name === 'rate_limited' ? name : name === 'latency_buckets' ? '0' : '0::bigint'))
    .join(', '),
)

// One call in each bucket, as a histogram.
const bucketUnits = Array.from({ length: latencyBucketCount }, (_, bucket) =>
  writeBuckets([...Array<number>(bucket).fill(0), 1]),
)

// This is the formula of `bucketOf`.
const bucketOfCall = sql`(case when coalesce(latency_ms, 0) < 1 then 0
  else least(${sql.lit(latencyBucketCount - 1)}, floor(ln(latency_ms::float8) / ln(1.25::float8)) + 1) end)::integer`

const callFigures = sql`1::bigint, input_tokens, output_tokens, cost_nanos,
  (outcome is not distinct from 'blocked')::integer::bigint,
  coalesce(outcome in (${sql.join(errorOutcomes.map((outcome) => sql.lit(outcome)))}), false)::integer::bigint,
  coalesce(latency_ms, 0)::bigint, (${sql.lit(`{${bucketUnits.join(',')}}`)}::numeric[])[${bucketOfCall} + 1], 0::bigint`

/**
 * Selects the values of the dimensions and the figures of each row. Refusals by a rate limit are only in rollups, in
 * few rows.
 */
export function selectRows(
  source: Source,
  reading: Reading,
  what: 'calls' | 'refusals',
): RawBuilder<unknown> {
  const values = reading.dimensions.map(
    (dimension, i) => sql`${valueIn(source, dimension)} as ${valueNames[i]}`,
  )
  const shown = what === 'refusals' ? refusalFigures : source === 'calls' ? callFigures : rollupFigures
  const condition = what === 'refusals' ? sql`and rate_limited > 0` : sql``
  return sql`select ${sql.join([...values, shown])} from ${tableOf(source)} where ${within(source, reading)} ${condition} offset 0`
}

const valueNames = [sql.ref('value1'), sql.ref('value2')]

/** The dimensions of the rows that `selectRows` selects. */
export const valuesOf = ({ dimensions }: Reading): RawBuilder<string | null>[] =>
  dimensions.map((_, i) => sql<string | null>`${valueNames[i]}`)
