import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/index.js'
import { readBuckets } from '../counting/latency-buckets.js'
import { emptySum, type UsageSum } from '../counting/usage-sum.js'
import { figures, type GroupKey, isIn, type Reading, selectRows, valuesOf } from './rows.js'
import type { ReadSource, ReadSpan } from './spans.js'

interface SumRow extends Omit<UsageSum, 'latencyBuckets'> {
  /** The number of the span; null in the row of a group. */
  number: number | null
  key: (string | null)[]
  latencyBuckets: string
}

interface BeforeColumns {
  requestsBefore: number
  inputTokensBefore: number
  outputTokensBefore: number
  costNanosBefore: number
  count: number
}

export interface ReadGroup {
  key: GroupKey
  sum: UsageSum
  /** The sum in the previous span, without latencies, errors and refusals. */
  before: UsageSum
}

export interface SpanSum {
  span: ReadSpan
  key: GroupKey
  sum: UsageSum
}

const sumOfEach = sql.raw(figures.map((name) => `sum(${name}) as ${name}`).join(', '))
const weightedSums = sql.raw(figures.map((name) => `sum(in_span * ${name}) as ${name}`).join(', '))

// A sum over all calls of a tenant in nano-dollars can pass the range of bigint. As a float it is exact up to 9 million dollars.
const shownFigures = sql`requests::bigint, input_tokens::bigint as "inputTokens", output_tokens::bigint as "outputTokens",
  cost_nanos::float8 as "costNanos", blocked::bigint, errors::bigint, latency_ms::bigint as "latencyMs",
  latency_buckets::text as "latencyBuckets", rate_limited::bigint as "rateLimited"`

/**
 * Reads each row once: for the sum of each span and for the sums of the largest groups, by spend in the spans of the
 * report and the previous one. Plan: for each span a range of the primary key, all aggregated by two hashes.
 */
export async function readSpansAndGroups(
  tx: Tx,
  reading: Reading,
  sources: readonly ReadSource[],
  maxGroups: number,
): Promise<{ spans: SpanSum[]; groups: ReadGroup[]; groupCount: number }> {
  const numbered = numberSpans(sources)
  if (numbered.length === 0) return { spans: [], groups: [], groupCount: 0 }
  const values = sql.join(valuesOf(reading))
  const total = (name: string) => sql`sum((in_span + before) * ${sql.ref(name)})`
  const { rows } = await sql<SumRow & BeforeColumns>`
    with summed as materialized (
      select number, in_span, before, ${values}, ${sumOfEach} from (${selectAll(reading, sources)}) as rows
      group by grouping sets ((number), (in_span, before, ${values}))),
    groups as (
      select ${values}, ${weightedSums}, sum(before * requests) as requests_before, sum(before * input_tokens) as input_before,
        sum(before * output_tokens) as output_before, sum(before * cost_nanos) as cost_before, count(*) over () as count
      from summed where number is null and (in_span <> 0 or before <> 0) group by ${values}
      having ${total('requests')} <> 0 or ${total('cost_nanos')} <> 0 or ${total('rate_limited')} <> 0
      order by ${total('cost_nanos')} desc, ${total('requests')} desc, array[${values}] collate "C" limit ${maxGroups})
    select number, null::text[] as key, ${shownFigures}, 0 as "requestsBefore", 0 as "inputTokensBefore",
      0 as "outputTokensBefore", 0 as "costNanosBefore", 0 as count
    from summed where number is not null
    union all
    select null, array[${values}]::text[], ${shownFigures}, requests_before::bigint, input_before::bigint, output_before::bigint,
      cost_before::float8, count from groups`.execute(tx)
  const groups = rows.filter(({ number }) => number === null)
  return {
    spans: toSpanSums(rows, numbered),
    groups: groups.map((row) => ({ key: row.key, sum: toSum(row), before: toSumBefore(row) })),
    groupCount: groups[0]?.count ?? 0,
  }
}

/** Reads the sums of some groups in each span, or of all groups. */
export async function readGroupsBySpan(
  tx: Tx,
  reading: Reading,
  sources: readonly ReadSource[],
  { only, hasLatencies }: { only: readonly GroupKey[] | 'all'; hasLatencies: boolean },
): Promise<SpanSum[]> {
  const numbered = numberSpans(sources)
  if (numbered.length === 0 || only.length === 0) return []
  const values = valuesOf(reading)
  const { rows } = await sql<SumRow>`
    select number, array[${sql.join(values)}]::text[] as key, ${shownFigures} from (
      select number, ${sql.join(values)}, ${hasLatencies ? sumOfEach : sumsWithoutLatencies}
      from (${selectAll(reading, sources)}) as rows where ${only === 'all' ? sql`true` : isIn(values, only)}
      group by number, ${sql.join(values)}) as summed`.execute(tx)
  return toSpanSums(rows, numbered)
}

/** Reads how many calls all spans have together. */
export async function readRequests(
  tx: Tx,
  reading: Reading,
  sources: readonly ReadSource[],
): Promise<number> {
  if (sources.length === 0) return 0
  const { rows } = await sql<{ requests: number }>`
    select coalesce(sum(in_span * requests), 0)::bigint as requests
    from (${selectAll(reading, sources)}) as rows`.execute(tx)
  return rows[0]?.requests ?? 0
}

const sumsWithoutLatencies = sql.raw(
  figures
    .map((name) => (name === 'latency_buckets' ? '0 as latency_buckets' : `sum(${name}) as ${name}`))
    .join(', '),
)

const numberSpans = (sources: readonly ReadSource[]): ReadSpan[] => sources.flatMap(({ spans }) => spans)

/** Selects the rows of all sources, each with the number of its span in `numberSpans`. */
function selectAll(reading: Reading, sources: readonly ReadSource[]): RawBuilder<unknown> {
  const columns = sql.join([...valuesOf(reading), ...figures.map((name) => sql.ref(name))])
  let first = 0
  const parts = sources.map(({ source, what, spans }) => {
    const part = sql`select p.number, p.in_span, p.before, s.* from ${unnestSpans(spans, first)}
      cross join lateral (${selectRows(source, reading, what)}) as s (${columns})`
    first += spans.length
    return part
  })
  return sql.join(parts, sql` union all `)
}

const unnestSpans = (spans: readonly ReadSpan[], first: number): RawBuilder<unknown> => sql`unnest(
  ${spans.map(({ fromMs }) => new Date(fromMs).toISOString())}::timestamptz[],
  ${spans.map(({ toMs }) => new Date(toMs).toISOString())}::timestamptz[],
  ${spans.map((_, i) => first + i)}::integer[], ${spans.map(({ inSpan }) => inSpan)}::integer[],
  ${spans.map(({ before }) => before)}::integer[]) as p (since, until, number, in_span, before)`

const toSpanSums = (rows: readonly SumRow[], numbered: readonly ReadSpan[]): SpanSum[] =>
  rows.flatMap((row) => {
    const span = row.number === null ? undefined : numbered[row.number]
    return span ? [{ span, key: row.key, sum: toSum(row) }] : []
  })

const toSum = (row: SumRow): UsageSum => ({
  requests: row.requests,
  inputTokens: row.inputTokens,
  outputTokens: row.outputTokens,
  costNanos: row.costNanos,
  blocked: row.blocked,
  rateLimited: row.rateLimited,
  errors: row.errors,
  latencyMs: row.latencyMs,
  latencyBuckets: readBuckets(row.latencyBuckets),
})

const toSumBefore = (row: BeforeColumns): UsageSum => ({
  ...emptySum(),
  requests: row.requestsBefore,
  inputTokens: row.inputTokensBefore,
  outputTokens: row.outputTokensBefore,
  costNanos: row.costNanosBefore,
})
