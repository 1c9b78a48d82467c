import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { baseUrl } from '../../api'
import { CallsLink } from '../../calls-link'
import {
  ChartSkeleton,
  Legend,
  type Measure,
  paintOf,
  paintOfOutcome,
  stackReport,
  TimeSeries,
  useModelPaints,
} from '../../charts'
import { EmptyState, ErrorState, Headline, Section, Skeleton } from '../../components'
import { formatChange, formatCompact, formatInteger, formatUsd, formatUsdShort, plural } from '../../format'
import { useSession } from '../../session'
import { intervalFor } from '../../time/span'
import { type ChosenSpan, useSpan } from '../../time/use-span'
import {
  spanOfReport,
  spanQuery,
  type Usage,
  type UsageGroup,
  type UsageQuery,
  usageQuery,
} from '../../usage'
import { type Dimension, filterOfGroup, nameOfDimension, nameOfGroup } from '../../usage-dimensions'
import { FilterBar } from '../calls/filters/filter-bar'
import type { SetFilter } from '../calls/filters/kinds'
import { type CallsSearch, filterQuery } from '../calls/search'
import { Controls, ExportActions } from './controls'
import { GroupsTable } from './groups-table'
import type { UsageMeasure, UsageSearch } from './search'

const shownSeries = 8
const height = 300
const none: readonly string[] = []

const fields: Record<UsageMeasure, Measure> = { spend: 'spendUsd', calls: 'requests', tokens: 'totalTokens' }
const formats: Record<UsageMeasure, { format(value: number): string; formatAxis(value: number): string }> = {
  spend: { format: formatUsd, formatAxis: formatUsdShort },
  calls: { format: formatInteger, formatAxis: formatCompact },
  tokens: { format: formatInteger, formatAxis: formatCompact },
}

/** The usage page: any two dimensions over time, and the figures in a table. */
export default function UsagePage() {
  const search = useSearch({ from: '/app/usage' })
  const navigate = useNavigate({ from: '/usage' })
  const isMember = useSession().role === 'member'
  const span = useSpan()
  const measure = search.measure ?? 'spend'
  const by: readonly Dimension[] = search.by ?? ['model']
  const only = search.only ?? none
  const filters = useMemo(() => filtersOnly(search), [search])
  const query: UsageQuery = {
    ...spanQuery(span),
    ...filterQuery(filters),
    interval: search.interval ?? intervalFor(span),
    groupBy: by.join(','),
  }
  const report = useQuery(
    usageQuery({ ...query, groupSeries: shownSeries, ...(search.compare && { compare: 'previous' }) }),
  )
  const before = useQuery({
    ...usageQuery({
      ...filterQuery(filters),
      interval: query.interval,
      timeZone: span.timeZone,
      groupBy: by[0] ?? 'model',
      from: report.data?.previous?.from,
      to: report.data?.previous?.to,
    }),
    enabled: search.compare === true && report.data?.previous !== undefined,
  })
  const change = (next: Partial<UsageSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...next }), replace: true, resetScroll: false })
  const plot = useChart(
    report.data,
    by,
    fields[measure],
    only,
    filters,
    search.compare ? before.data : undefined,
  )
  const { data, error } = report
  return (
    <>
      <TotalSummary span={span} report={data} measure={measure} filters={filters} />
      <div className="mb-3 flex flex-wrap items-start gap-2">
        <FilterBar
          search={filters}
          span={span}
          onChange={(next) =>
            void navigate({
              search: (now) => ({ ...withoutFilters(now), ...filtersOnly(next), only: undefined }),
            })
          }
          nameOf={(filter) => nameIn(data, by, filter)}
          tags={none}
        />
        <ExportActions csvUrl={csvUrl(query, search.compare === true)} link={location.href} />
      </div>
      <Controls
        search={search}
        by={by}
        tags={none}
        isMember={isMember}
        auto={intervalFor(span)}
        onChange={change}
      />
      {error && !data ? (
        <ErrorState error={error} retry={() => void report.refetch()} />
      ) : data && data.totals.requests === 0 ? (
        <EmptyState title="No calls in this time range">
          {Object.keys(filters).length > 0
            ? 'No calls match these filters. Remove one, or choose a longer time range.'
            : 'Choose a longer time range above.'}
        </EmptyState>
      ) : (
        <>
          <Section
            title={`${titles[measure]} by ${by.map((each) => nameOfDimension(each).toLowerCase()).join(' and ')}`}
            aside={
              plot && (
                <Legend
                  series={plot.series}
                  only={only}
                  onOnly={(ids) => change({ only: ids.length > 0 ? ids : undefined })}
                />
              )
            }
          >
            {plot && data ? (
              <TimeSeries
                label={labelOfChart(data, measure, by)}
                series={plot.series}
                points={plot.points}
                interval={data.interval}
                timeZone={span.timeZone}
                kind={search.plot ?? 'bars'}
                height={height}
                isWhole={measure !== 'spend'}
                beforeName="previous period"
                only={only}
                {...formats[measure]}
              />
            ) : (
              <ChartSkeleton height={height} />
            )}
          </Section>
          <GroupsTable
            report={data}
            by={by}
            measure={fields[measure]}
            filter={filters}
            isCompared={search.compare === true}
            paintOf={(id) => plot?.series.find((series) => series.id === id)?.ink}
          />
        </>
      )}
    </>
  )
}

const titles: Record<UsageMeasure, string> = { spend: 'Spend', calls: 'Calls', tokens: 'Tokens' }

/** The chart data. Models and outcomes have fixed colours; other groups are coloured by position. */
function useChart(
  report: Usage | undefined,
  by: readonly Dimension[],
  measure: Measure,
  only: readonly string[],
  filter: CallsSearch,
  before: Usage | undefined,
) {
  const modelInk = useModelPaints()
  const dimensions = by.join(',')
  // biome-ignore lint/correctness/useExhaustiveDependencies: dimensions are compared by their names
  return useMemo(() => {
    if (!report || !modelInk) return undefined
    const inkFor = (group: UsageGroup, n: number) => {
      if (dimensions === 'model') return modelInk(group.key)
      return dimensions === 'outcome' ? paintOfOutcome(group.key) : paintOf(n)
    }
    const plot = stackReport({
      report,
      measure,
      paintOf: inkFor,
      nameOf: (group) => nameOfGroup(by, group),
      filterOf: (group) => filterOfGroup(by, group),
      only,
      filter,
    })
    if (!before) return plot
    const points = plot.points.map((point, i) => ({ ...point, before: before.series[i]?.[measure] ?? null }))
    return { ...plot, points }
  }, [report, modelInk, dimensions, measure, only, filter, before])
}

interface TotalSummaryProps {
  span: ChosenSpan
  report: Usage | undefined
  measure: UsageMeasure
  filters: CallsSearch
}

/** States the total, and its change if the previous period is compared. */
function TotalSummary({ report, measure, filters }: TotalSummaryProps) {
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
  const now = totals[fields[measure]]
  const then = previous?.totals[fields[measure]]
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

function labelOfChart(report: Usage, measure: UsageMeasure, by: readonly Dimension[]): string {
  const { format } = formats[measure]
  const [most] = report.groups
  const all = `${titles[measure]} over time, ${format(report.totals[fields[measure]])} in all`
  return most ? `${all}; most by ${nameOfGroup(by, most)} with ${format(most[fields[measure]])}.` : `${all}.`
}

/** The URL of the same report as CSV, for the browser to download. */
function csvUrl(query: UsageQuery, isCompared: boolean): string {
  const address = new URL(`${baseUrl}/v1/usage`)
  const { interval, ...rest } = query
  // With a comparison a row is a group; otherwise it is a group in an interval.
  const asked = { ...rest, ...(isCompared ? { compare: 'previous' } : { interval }), format: 'csv' }
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) address.searchParams.set(name, String(value))
  return address.href
}

/** The filters without the display options. */
function filtersOnly(search: UsageSearch | CallsSearch): CallsSearch {
  const { keyId, userId, teamId, provider, model, outcome, policyId, session, requestId, minCostUsd, tags } =
    search
  const all = {
    keyId,
    userId,
    teamId,
    provider,
    model,
    outcome,
    policyId,
    session,
    requestId,
    minCostUsd,
    tags,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const withoutFilters = <T extends UsageSearch>(search: T): T => ({
  ...search,
  keyId: undefined,
  userId: undefined,
  teamId: undefined,
  provider: undefined,
  model: undefined,
  outcome: undefined,
  policyId: undefined,
  session: undefined,
  requestId: undefined,
  minCostUsd: undefined,
  tags: undefined,
})

/** The display name of a filtered value, which the report has if it is grouped by that dimension. */
function nameIn(report: Usage | undefined, by: readonly Dimension[], { name, value }: SetFilter) {
  const dimension = { keyId: 'key', userId: 'user', teamId: 'team' }[String(name)]
  if (by[0] !== dimension) return undefined
  return report?.groups.find(({ key }) => key === value)?.name
}
