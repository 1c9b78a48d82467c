import { CallsLink } from '../../calls-link'
import { Headline, Skeleton } from '../../components'
import { formatChange, formatUsd, plural } from '../../format'
import type { ChosenSpan } from '../../time/use-span'
import { spanOfReport, type Usage } from '../../usage'
import type { CallsSearch } from '../calls/search'
import { measureFields } from './measures'
import type { UsageMeasure } from './search'

interface TotalSummaryProps {
  span: ChosenSpan
  report: Usage | undefined
  measure: UsageMeasure
  filters: CallsSearch
}

/** States the total, and its change if the previous period is compared. */
export function TotalSummary({ report, measure, filters }: TotalSummaryProps) {
  if (!report)
    return (
      <div className="mb-6 h-8 md:h-9">
        <Skeleton className="h-full w-96 max-w-full" />
      </div>
    )
  const { totals, previous } = report
  const values: Record<UsageMeasure, string> = {
    spend: formatUsd(totals.spendUsd),
    calls: plural(totals.requests, 'call'),
    tokens: plural(totals.totalTokens, 'token'),
  }
  const now = totals[measureFields[measure]]
  const then = previous?.totals[measureFields[measure]]
  return (
    <Headline>
      <b>
        <CallsLink calls={{ ...spanOfReport(report), filter: filters }}>{values[measure]}</CallsLink>
      </b>{' '}
      <span className="text-ink-3">{measure === 'calls' ? 'for' : 'in'}</span>{' '}
      {measure === 'calls' ? formatUsd(totals.spendUsd) : plural(totals.requests, 'call')}
      {then !== undefined &&
        (then === 0
          ? ', with none in the previous period'
          : `, ${formatChange(now / then - 1)} vs. previous period`)}
      .
    </Headline>
  )
}
