import { ArrowLeft } from 'lucide-react'
import { formatInteger, plural } from '../../format'
import { ErrorState, Skeleton } from '../../parts'
import type { Density, DensityBucket } from '../../plots/use-density'
import { rangeNames } from '../../time/span'
import type { ChosenSpan } from '../../time/use-span'
import type { CallsSearch, Outcome } from './search'

export interface SummaryProps {
  density: Density
  span: ChosenSpan
  search: CallsSearch
  onChange(search: CallsSearch): void
  back: (() => void) | undefined
}

/** How many, and what of them wants to be looked at. Each figure is the filter that shows its calls. */
export function Summary({ density, span, search, onChange, back }: SummaryProps) {
  const { buckets, calls, error, retry } = density
  if (error && calls === undefined) return <ErrorState error={error} retry={retry} className="mb-3" />
  if (calls === undefined || !buckets) return <Skeleton className="mb-3 h-5 w-72" />
  const sum = (name: keyof DensityBucket) => buckets.reduce((total, bucket) => total + bucket[name], 0)
  const figure = (count: number, words: string, outcome: Outcome, className: string) =>
    count > 0 &&
    search.outcome === undefined && (
      <button
        type="button"
        onClick={() => onChange({ ...search, outcome })}
        className={`${className} underline-offset-3 hover:underline`}
      >
        {formatInteger(count)} {words}
      </button>
    )
  return (
    <div className="num mb-2 flex min-h-6 flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <span>
        <b className="font-semibold">{plural(calls, 'call')}</b>
        {span.range !== null && <span className="text-ink-2"> · {rangeNames[span.range].toLowerCase()}</span>}
      </span>
      {figure(sum('redacted'), 'redacted', 'redacted', 'text-warn')}
      {figure(sum('blocked'), 'blocked', 'blocked', 'text-warn')}
      {figure(sum('failed'), 'failed', 'upstream_error', 'text-bad')}
      {back && (
        <button
          type="button"
          onClick={back}
          className="ml-auto inline-flex items-center gap-1 text-accent hover:underline"
        >
          <ArrowLeft size={13} aria-hidden />
          Back to the whole range
        </button>
      )}
    </div>
  )
}
