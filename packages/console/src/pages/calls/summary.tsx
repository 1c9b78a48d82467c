import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { Density } from '../../charts/density/use-density'
import { ErrorState, nameOfOutcome, Skeleton } from '../../components'
import { formatInteger, plural } from '../../format'
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

/** The number of calls and of those that need attention. Each figure filters the list. */
export function Summary({ density, span, search, onChange, back }: SummaryProps) {
  const { calls, outcomes, error, retry } = density
  if (error && calls === undefined) return <ErrorState error={error} retry={retry} className="mb-3" />
  if (calls === undefined) return <Skeleton className="mb-3 h-5 w-72" />
  const figure = (outcome: Outcome, className: string) => {
    const count = outcomes[outcome] ?? 0
    if (count === 0 || search.outcome !== undefined) return null
    return (
      <button
        type="button"
        onClick={() => onChange({ ...search, outcome })}
        className={`${className} underline-offset-3 hover:underline`}
      >
        {formatInteger(count)} {nameOfOutcome(outcome)}
      </button>
    )
  }
  return (
    <div className="num mb-2 flex min-h-6 flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <span>
        <b className="font-semibold">{plural(calls, 'call')}</b>
        {span.range !== null && <span className="text-ink-2"> · {rangeNames[span.range].toLowerCase()}</span>}
      </span>
      {figure('redacted', 'text-warn')}
      {figure('blocked', 'text-warn')}
      {figure('upstream_error', 'text-bad')}
      {figure('failed', 'text-bad')}
      {figure('interrupted', 'text-bad')}
      {back && (
        <button
          type="button"
          onClick={back}
          className="ml-auto inline-flex items-center gap-1 text-accent hover:underline"
        >
          <ArrowLeft size={13} aria-hidden />
          Clear the time range
        </button>
      )}
    </div>
  )
}
