import { Link } from '@tanstack/react-router'
import { CallsLink } from '../../calls-link'
import { Headline, Skeleton } from '../../components'
import { formatChange, formatInteger, formatUsd, formatUsdShort, plural } from '../../format'
import { rangeNames } from '../../time/span'
import type { ChosenSpan } from '../../time/use-span'
import { spanOfReport, type Usage } from '../../usage'
import type { Budget } from './budgets'
import { limitOf } from './budgets'

export interface Forecast {
  forecastUsd: number | null
}

interface SpendSummaryProps {
  span: ChosenSpan
  report: Usage | undefined
  /** Null if it could not be loaded. */
  forecast: Forecast | null | undefined
  /** The tenant budget or, for a member, the personal cap; null if there is none. */
  limit: { amountUsd: number; forecastUsd: number | null } | null | undefined
  isOwn: boolean
}

/** States the spend, the limit and the forecast in a sentence. */
export function SpendSummary({ span, report, forecast, limit, isOwn }: SpendSummaryProps) {
  if (!report || (span.range === 'month' && (forecast === undefined || limit === undefined)))
    return <HeadlineSkeleton />
  const spent = (
    <b>
      <CallsLink calls={{ ...spanOfReport(report) }} title="Show these calls">
        {formatUsd(report.totals.spendUsd)}
      </CallsLink>
    </b>
  )
  if (span.range !== 'month')
    return (
      <Headline>
        {span.range === null ? 'In this time range' : rangeNames[span.range]}: {isOwn && 'you spent '}
        {spent} <span className="text-ink-3">in</span>{' '}
        <CallsLink calls={spanOfReport(report)}>{plural(report.totals.requests, 'call')}</CallsLink>
        {changeText(report)}
      </Headline>
    )
  const month = span.from.toLocaleDateString('en-US', { month: 'long', timeZone: span.timeZone })
  const end = limit?.forecastUsd ?? forecast?.forecastUsd ?? null
  return (
    <Headline>
      {month} so far: {isOwn && 'you spent '}
      {spent}
      {limit && (
        <>
          {' '}
          <span className="text-ink-3">of</span> {formatUsdRound(limit.amountUsd)}
        </>
      )}
      .{' '}
      {end === null ? (
        forecast !== null && <span className="text-ink-3">A forecast needs a week of spend.</span>
      ) : (
        <>
          Forecast at the current rate: <b>{formatUsdRound(end)}</b>
          {limit ? <Verdict end={end} limit={limit.amountUsd} /> : '.'}
        </>
      )}
    </Headline>
  )
}

export const HeadlineSkeleton = () => (
  <div className="mb-6 max-w-[42rem]">
    <Skeleton className="h-8 w-4/5 md:h-9" />
    <Skeleton className="mt-1 h-8 w-2/5 md:mt-0 md:h-9 md:!bg-transparent" />
  </div>
)

function Verdict({ end, limit }: { end: number; limit: number }) {
  if (end <= limit) return <>, within the budget.</>
  return (
    <>
      , <span className="text-bad">{formatUsdRound(end - limit)} over the budget</span>.
    </>
  )
}

const formatUsdRound = (usd: number) => (usd >= 100 ? `$${formatInteger(usd)}` : formatUsdShort(usd))

function changeText({ previous }: Usage): string {
  if (!previous) return '.'
  const { spendUsd } = previous.totals
  if (spendUsd === 0) return ', with none in the previous period.'
  const { spendPct } = previous.change
  if (spendPct === null) return '.'
  if (Math.abs(spendPct) < 0.05) return ', the same as in the previous period.'
  if (spendPct >= 900) return `, ${formatInteger(spendPct / 100 + 1)} times the spend of the previous period.`
  const change = formatChange(Math.abs(spendPct) / 100).slice(1)
  return `, ${change} ${spendPct > 0 ? 'more' : 'less'} than in the previous period.`
}

/** Names the budgets that are expected to run out. */
export function BudgetWarnings({ budgets }: { budgets: readonly Budget[] }) {
  const short = budgets.filter(
    (budget) => budget.forecastUsd !== null && budget.forecastUsd > limitOf(budget),
  )
  if (short.length === 0) return null
  return (
    <p className="-mt-3 mb-6 text-sm text-ink-2">
      {short.length === 1 ? 'One budget is' : `${formatInteger(short.length)} budgets are`} expected to run
      out early:{' '}
      {short.slice(0, 3).map(({ id, name }, n) => (
        <span key={id}>
          {n > 0 && ', '}
          <Link to="/budgets" className="link">
            {name}
          </Link>
        </span>
      ))}
      {short.length > 3 && (
        <>
          {' and '}
          <Link to="/budgets" className="link">
            {plural(short.length - 3, 'other')}
          </Link>
        </>
      )}
      .
    </p>
  )
}
