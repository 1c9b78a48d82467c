import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/index.js'
import { latencyBucketCount } from '../counting/latency-buckets.js'
import { addToBucket, errorOutcomes, type UsageSum } from '../counting/usage-sum.js'
import { conditionIn, type Dimension, type Selection, valueIn } from '../query/dimensions.js'
import { type Piece, type Source, sources } from '../query/pieces.js'

const timeColumns: Record<Source, string> = {
  usage_days: 'day',
  usage_hours: 'hour',
  usage_minutes: 'minute',
  calls: 'ts',
}

/** The values of a group's dimensions, in order. */
export type GroupKey = readonly (string | null)[]

/** What one piece adds to a point of a group, or subtracts from it. */
export interface ReadSum {
  point: number
  sign: 1 | -1
  key: GroupKey
  sum: UsageSum
}

interface Row extends Omit<UsageSum, 'latencyBuckets'> {
  /** The number of the piece. */
  point: number
  key: (string | null)[]
  latencyBuckets?: number[]
  /** The bucket that all of these calls are in. */
  bucket?: number
}

// The driver parses arrays of float8 as numbers, arrays of bigint as strings.
const rollupSums = (buckets: readonly number[]) => sql`sum(requests)::bigint as requests,
  sum(input_tokens)::bigint as "inputTokens", sum(output_tokens)::bigint as "outputTokens",
  sum(cost_nanos)::float8 as "costNanos", sum(blocked)::bigint as blocked, 0 as "rateLimited",
  sum(errors)::bigint as errors, sum(latency_ms)::bigint as "latencyMs",
  array[${sql.join(buckets.map((bucket) => sql`coalesce(sum(latency_buckets[${sql.lit(bucket + 1)}]), 0)`))}]::float8[] as "latencyBuckets"`

const callSums = sql`count(*)::bigint as requests, sum(input_tokens)::bigint as "inputTokens",
  sum(output_tokens)::bigint as "outputTokens", sum(cost_nanos)::float8 as "costNanos",
  count(*) filter (where outcome = 'blocked')::bigint as blocked, 0 as "rateLimited",
  count(*) filter (where outcome in (${sql.join(errorOutcomes.map((outcome) => sql.lit(outcome)))}))::bigint as errors,
  coalesce(sum(latency_ms), 0)::bigint as "latencyMs"`

// This is the formula of `bucketOf`.
const bucketOfCall = sql`(case when coalesce(latency_ms, 0) < 1 then 0
  else least(${sql.lit(latencyBucketCount - 1)}, floor(ln(latency_ms::float8) / ln(1.25::float8)) + 1) end)::integer`

export interface Reading {
  selection: Selection
  dimensions: readonly Dimension[]
  pieces: readonly Piece[]
  /** Only these groups; all if left out. */
  only?: readonly GroupKey[]
  /** The buckets of the histogram that are in use; all if left out. */
  buckets?: readonly number[]
}

const allBuckets = Array.from({ length: latencyBucketCount }, (_, bucket) => bucket)

/**
 * Returns the sums of all pieces. Plan: for each piece a range scan of the primary key. A sum for each of the 80
 * buckets takes 4.6 µs a row, and merging histograms by `unnest` or in JavaScript three times as long. So it reads
 * few rows, each of them once, and no bucket that is always empty.
 */
export async function readSums(tx: Tx, reading: Reading): Promise<ReadSum[]> {
  const { buckets = allBuckets } = reading
  const sums: ReadSum[] = []
  for (const { source, pieces } of bySource(reading.pieces)) {
    // The hours that divide a day are added to one point and subtracted from another: they are read once.
    const distinct = groupBySpan(pieces)
    const numbered = distinct.flatMap(([piece], point) => (piece ? [{ ...piece, point }] : []))
    for (const row of await readSource(tx, source, { ...reading, pieces: numbered, buckets })) {
      const { key, sum } = toReadSum(row, buckets)
      for (const { point, sign } of distinct[row.point] ?? []) sums.push({ point, sign, key, sum })
    }
  }
  return sums
}

function groupBySpan(pieces: readonly Piece[]): Piece[][] {
  const groups = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const name = `${piece.fromMs} ${piece.toMs}`
    const group = groups.get(name) ?? []
    groups.set(name, group)
    group.push(piece)
  }
  return [...groups.values()]
}

async function readSource(
  tx: Tx,
  source: Source,
  reading: Reading & { buckets: readonly number[] },
): Promise<Row[]> {
  const { dimensions, pieces, only, buckets } = reading
  const values = dimensions.map((dimension) => valueIn(source, dimension))
  const grouped = source === 'calls' ? [...values, bucketOfCall] : values
  const { rows } = await sql<Row>`
    select p.point, s.* from ${unnested(pieces)} cross join lateral (
      select ${arrayOf(values)}, ${source === 'calls' ? sql`${bucketOfCall} as bucket, ${callSums}` : rollupSums(buckets)}
      from ${sql.table(source)} where ${within(source, reading)} ${only ? sql`and ${isIn(values, only)}` : sql``}
      ${grouped.length > 0 ? sql`group by ${sql.join(grouped)}` : sql`having count(*) > 0`}
    ) as s`.execute(tx)
  return rows
}

export const arrayOf = (values: readonly RawBuilder<string | null>[]) =>
  values.length === 0 ? sql`array[]::text[] as key` : sql`array[${sql.join(values)}]::text[] as key`

export const unnested = (pieces: readonly Piece[]) => sql`unnest(
  ${pieces.map(({ fromMs }) => new Date(fromMs).toISOString())}::timestamptz[],
  ${pieces.map(({ toMs }) => new Date(toMs).toISOString())}::timestamptz[],
  ${pieces.map(({ point }) => point)}::integer[],
  ${pieces.map(({ sign }) => sign)}::integer[]) as p (since, until, point, sign)`

export function within(source: Source, { selection }: Pick<Reading, 'selection'>): RawBuilder<boolean> {
  const at = sql.ref(timeColumns[source])
  return sql`tenant_id = ${selection.tenantId} and ${at} >= p.since and ${at} < p.until and ${conditionIn(source, selection)}`
}

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

function toReadSum(row: Row, buckets: readonly number[]): { key: GroupKey; sum: UsageSum } {
  const sum = {
    requests: row.requests,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    costNanos: row.costNanos,
    blocked: row.blocked,
    rateLimited: row.rateLimited,
    errors: row.errors,
    latencyMs: row.latencyMs,
    latencyBuckets: [],
  }
  if (row.bucket !== undefined) addToBucket(sum.latencyBuckets, row.bucket, row.requests)
  for (const [i, count] of (row.latencyBuckets ?? []).entries())
    addToBucket(sum.latencyBuckets, buckets[i] ?? 0, count)
  return { key: row.key, sum }
}

/** Counts the calls that rate limits refused. Only rollups contain them, so the pieces refer to no other source. */
export async function readRefusals(
  tx: Tx,
  { selection, dimensions, pieces }: Reading,
): Promise<{ point: number; key: GroupKey; refused: number }[]> {
  if (pieces.length === 0) return []
  const { rows } = await sql<{ point: number; key: (string | null)[]; refused: number }>`
    select point, key, sum(refused)::bigint as refused
    from (${sql.join(refusalsOf({ selection, dimensions, pieces }), sql` union all `)}) as parts
    group by point, key`.execute(tx)
  return rows
}

function refusalsOf(reading: Reading): RawBuilder<unknown>[] {
  return bySource(reading.pieces).map(({ source, pieces }) => {
    const values = reading.dimensions.map((dimension) => valueIn(source, dimension))
    return sql`select p.point, s.key, p.sign * s.refused as refused from ${unnested(pieces)} cross join lateral (
      select ${arrayOf(values)}, sum(rate_limited) as refused from ${sql.table(source)}
      where ${within(source, reading)} and rate_limited > 0
      ${values.length > 0 ? sql`group by ${sql.join(values)}` : sql`having count(*) > 0`}) as s`
  })
}

const bySource = (pieces: readonly Piece[]): { source: Source; pieces: Piece[] }[] =>
  sources
    .map((source) => ({ source, pieces: pieces.filter((piece) => piece.source === source) }))
    .filter((each) => each.pieces.length > 0)

/** Returns the largest groups by spend, then by requests, and their total number. */
export async function rankGroups(
  tx: Tx,
  reading: Reading,
  refusals: readonly Piece[],
  limit: number,
): Promise<{ keys: GroupKey[]; count: number }> {
  const spent = bySource(reading.pieces).map(({ source, pieces }) => {
    const values = reading.dimensions.map((dimension) => valueIn(source, dimension))
    const requests = source === 'calls' ? sql`count(*)` : sql`sum(requests)`
    return sql`select s.key, p.sign * s.cost as cost, p.sign * s.requests as requests, 0 as refused
      from ${unnested(pieces)} cross join lateral (
        select ${arrayOf(values)}, sum(cost_nanos) as cost, ${requests} as requests
        from ${sql.table(source)} where ${within(source, reading)} group by ${sql.join(values)}) as s`
  })
  const refused = refusalsOf({ ...reading, pieces: refusals }).map(
    (part) => sql`select key, 0, 0, refused from (${part}) as refusals`,
  )
  if (spent.length === 0) return { keys: [], count: 0 }
  const { rows } = await sql<{ key: (string | null)[]; count: number }>`
    select key, count(*) over () as count from (${sql.join([...spent, ...refused], sql` union all `)}) as parts
    group by key having sum(requests) <> 0 or sum(cost) <> 0 or sum(refused) <> 0
    order by sum(cost) desc, sum(requests) desc, key collate "C" limit ${limit}`.execute(tx)
  return { keys: rows.map(({ key }) => key), count: rows[0]?.count ?? 0 }
}

/**
 * Returns the days from `from` up to `to` that were added up and have not changed since. An unfolded row changes
 * its day.
 */
export async function readClosedDays(tx: Tx, tenantId: string, from: Date, to: Date): Promise<Set<number>> {
  const { rows } = await sql<{ day: Date }>`select day from closed_usage_days
    where tenant_id = ${tenantId} and attempt is null and day > ${from}::timestamptz - interval '24 hours' and day < ${to}
    except select date_bin('1 day', minute, 'epoch') from unfolded_usage where tenant_id = ${tenantId}`.execute(
    tx,
  )
  return new Set(rows.map(({ day }) => day.getTime()))
}

/**
 * Returns whether the table of calls contains every call of these spans: it must have as many as their hours
 * counted. Calls are missing after `callsRetentionDays`, and until `tallystick rebuild calls` has built them.
 */
export async function areCallsKept(
  tx: Tx,
  tenantId: string,
  spans: readonly Pick<Piece, 'fromMs' | 'toMs'>[],
): Promise<boolean> {
  const hours = wholeHours(spans)
  const { rows } = await sql<{ counted: number; kept: number }>`
    select
      coalesce(sum((select sum(requests) from usage_hours
        where tenant_id = ${tenantId} and hour >= p.since and hour < p.until)), 0)::bigint as counted,
      coalesce(sum((select count(*) from calls
        where tenant_id = ${tenantId} and ts >= p.since and ts < p.until)), 0)::bigint as kept
    from ${unnested(hours)}`.execute(tx)
  return rows[0] === undefined || rows[0].counted === rows[0].kept
}

/** Returns the hours that spans touch, as few spans that do not overlap. */
function wholeHours(spans: readonly Pick<Piece, 'fromMs' | 'toMs'>[]): Piece[] {
  const hourMs = 3_600_000
  const widened = spans
    .map(({ fromMs, toMs }) => ({
      fromMs: Math.floor(fromMs / hourMs) * hourMs,
      toMs: Math.ceil(toMs / hourMs) * hourMs,
    }))
    .sort((a, b) => a.fromMs - b.fromMs)
  const hours: Piece[] = []
  for (const { fromMs, toMs } of widened) {
    const last = hours.at(-1)
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else hours.push({ source: 'calls', fromMs, toMs, point: 0, sign: 1 })
  }
  return hours
}
