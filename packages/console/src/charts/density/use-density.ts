import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { apiQuery, type GetInit, type ResponseOf } from '../../api'
import { errorOutcomes } from '../../components'
import type { Span } from '../../time/span'

type DensityQuery = NonNullable<NonNullable<NonNullable<GetInit<'/v1/calls/density'>>['params']>['query']>
/** The filters of the call list. */
export type DensityFilter = Omit<DensityQuery, 'from' | 'to' | 'buckets'>

/** The number of calls that began in a time slice, by outcome. */
export interface DensityBucket {
  fromMs: number
  toMs: number
  /** Successful calls, and those that the caller cancelled. */
  ok: number
  redacted: number
  blocked: number
  failed: number
}

export interface Density {
  /** All slices of the span, including empty ones. Undefined while loading. */
  buckets: DensityBucket[] | undefined
  /** The number of calls in the span. */
  calls: number | undefined
  /** Calls by outcome; outcomes without calls are left out. */
  outcomes: Readonly<Record<string, number>>
  error: unknown
  retry(): void
}

/** Calls of a span by time and outcome, counted in the database. */
export function useDensity(span: Span, filter: DensityFilter = {}, maxBuckets = 150): Density {
  const query = {
    ...filter,
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    buckets: bucketsFor(span, maxBuckets),
  }
  const { data, error, refetch } = useQuery({
    ...apiQuery('/v1/calls/density', { params: { query } }),
    placeholderData: keepPreviousData,
  })
  const buckets = useMemo(() => data && fillGaps(data), [data])
  return { buckets, calls: data?.total, outcomes: data?.outcomes ?? {}, error, retry: () => void refetch() }
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 28].map((days) => days * day),
]

/** The number of slices for which each has a round length. */
function bucketsFor({ from, to }: Span, maxBuckets: number): number {
  const length = to.getTime() - from.getTime()
  const step = steps.find((each) => length / each <= maxBuckets) ?? length / maxBuckets
  return Math.max(1, Math.round(length / step))
}

function fillGaps({ from, to, bucketMs, buckets }: ResponseOf<'/v1/calls/density'>): DensityBucket[] {
  const fromMs = Date.parse(from)
  const toMs = Date.parse(to)
  const filled = new Map(buckets.map((bucket) => [bucket.index, bucket]))
  return Array.from({ length: Math.round((toMs - fromMs) / bucketMs) }, (_, n) => {
    const { calls = 0, outcomes = {} } = filled.get(n) ?? {}
    const { redacted = 0, blocked = 0 } = outcomes
    const failed = errorOutcomes.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0)
    return {
      fromMs: Math.round(fromMs + n * bucketMs),
      toMs: Math.round(fromMs + (n + 1) * bucketMs),
      ok: calls - redacted - blocked - failed,
      redacted,
      blocked,
      failed,
    }
  })
}
