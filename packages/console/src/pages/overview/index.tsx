import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { apiQuery } from '../../api'
import { ChartSkeleton, useModelPaints } from '../../charts'
import { Skeleton, useHasBeenTrue } from '../../components'
import { useSession } from '../../session'
import { intervalFor } from '../../time/span'
import { useSpan } from '../../time/use-span'
import { spanQuery, type UsageQuery, usageQuery } from '../../usage'
import { isOfMember, limitOf, tenantBudget } from './budgets'
import { Figures } from './figures'
import { BudgetWarnings, HeadlineSkeleton, SpendSummary } from './headline'
import { LastHour } from './last-hour'
import { NearLimits } from './near-limits'
import { NeedsAttention } from './needs-attention'
import { type Breakdown, breakdowns } from './search'
import { SpendBreakdown } from './spend-breakdown'
import { SpendChart } from './spend-chart'

const shownModels = 7

/** The overview of spend and health. A tenant without calls sees the first steps instead. */
export default function OverviewPage() {
  const [hasBegun, setBegun] = useState<boolean | null>(null)
  const calls = useQuery(apiQuery('/v1/calls', { params: { query: { limit: 1 } } }))
  // Decided once, so that the first steps stay in view after the first call.
  const isEmpty = calls.data && calls.data.data.length === 0 && calls.data.nextCursor === null
  useEffect(() => {
    if (isEmpty !== undefined) setBegun((before) => before ?? !isEmpty)
  }, [isEmpty])
  return hasBegun === false ? (
    <Suspense fallback={<Skeleton className="h-40" />}>
      <FirstVisit />
    </Suspense>
  ) : (
    <Dashboard />
  )
}

const FirstVisit = lazy(async () => ({ default: (await import('./first-visit')).FirstVisit }))

function Dashboard() {
  const { role, userId } = useSession()
  const isOwn = role === 'member'
  const search = useSearch({ from: '/app/' })
  const span = useSpan()
  const isMonth = span.range === 'month'
  const baseQuery: UsageQuery = { ...spanQuery(span), interval: intervalFor(span) }
  const report = useQuery(
    usageQuery({ ...baseQuery, groupBy: 'model', groupSeries: shownModels, compare: 'previous' }),
  )
  const outcomes = useQuery(usageQuery({ ...spanQuery(span), groupBy: 'outcome' }))
  const forecast = useQuery({
    ...apiQuery('/v1/usage/forecast', { params: { query: { timeZone: span.timeZone } } }),
    enabled: isMonth,
  })
  const budgets = useQuery(apiQuery('/v1/budgets', { params: { query: { limit: 200 } } }))
  const attention = useQuery({ ...apiQuery('/v1/attention'), enabled: !isOwn })
  const cap = useQuery({
    ...apiQuery('/v1/user-limits', { params: { query: { limit: 1 } } }),
    enabled: isOwn && userId !== null,
  })
  const me = useQuery({
    ...apiQuery('/v1/team/members/{userId}', { params: { path: { userId: userId ?? '' } } }),
    enabled: isOwn && userId !== null,
  })
  const before = useQuery({
    ...usageQuery(previousSpanOf(baseQuery, report.data?.previous, report.data?.from)),
    enabled: search.before === true && report.data?.previous !== undefined,
  })

  const ownTeamId = me.data?.teamId ?? null
  const shownBudgets = isOwn
    ? budgets.data?.data.filter((budget) => isOfMember(budget, ownTeamId))
    : budgets.data?.data
  const ownCapUsd = cap.data?.data[0]?.budgetCapUsd ?? null
  const whole = tenantBudget(budgets.data?.data ?? [])
  const limit = isOwn
    ? ownCapUsd === null
      ? null
      : { amountUsd: ownCapUsd, forecastUsd: null }
    : whole && { amountUsd: limitOf(whole), forecastUsd: whole.forecastUsd }
  const isLimitKnown = isOwn ? !cap.isLoading : !budgets.isLoading
  // The heights of the sections depend on their data, so they are shown together to avoid layout shifts.
  const paintOf = useModelPaints()
  const isWaiting = [report, forecast, outcomes].some(({ isLoading }) => isLoading)
  const isKnown = useHasBeenTrue(!isWaiting && isLimitKnown && paintOf !== undefined)
  const choices: readonly Breakdown[] = isOwn ? ['key', 'model'] : breakdowns
  const by = search.by && choices.includes(search.by) ? search.by : (choices[0] ?? 'team')
  if (!isKnown)
    return (
      <div aria-busy>
        <HeadlineSkeleton />
        <ChartSkeleton height={280} />
      </div>
    )
  return (
    <>
      <SpendSummary
        span={span}
        report={report.data}
        forecast={forecast.error ? null : forecast.data}
        limit={isLimitKnown ? limit : undefined}
        isOwn={isOwn}
      />
      {isMonth && <BudgetWarnings budgets={(shownBudgets ?? []).filter(({ id }) => id !== whole?.id)} />}
      <SpendChart
        span={span}
        report={report.data}
        error={report.error}
        retry={() => void report.refetch()}
        forecast={forecast.data}
        before={search.before ? before.data : undefined}
        search={search}
      />
      <Figures report={report.data} outcomes={outcomes.data} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]">
        <SpendBreakdown span={span} by={by} choices={choices} />
        <div>
          {!isOwn && <NeedsAttention budgets={budgets.data?.data ?? []} />}
          <NearLimits budgets={shownBudgets} limits={attention.data?.limits} isOwn={isOwn} />
        </div>
      </div>
      <LastHour timeZone={span.timeZone} />
    </>
  )
}

/** The whole previous period, including the part that is still to come in the current one. */
function previousSpanOf(
  { interval, timeZone }: UsageQuery,
  previous: { from: string; to: string } | undefined,
  from: string | undefined,
): UsageQuery {
  return {
    from: previous?.from,
    to: from ?? previous?.to,
    groupBy: 'model',
    ...(interval && { interval }),
    ...(timeZone && { timeZone }),
  }
}
