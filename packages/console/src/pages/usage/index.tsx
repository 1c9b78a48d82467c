import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { baseUrl } from '../../api'
import { ChartSkeleton, Legend, TimeSeries } from '../../charts'
import { EmptyState, ErrorState, Section } from '../../components'
import { useSession } from '../../session'
import { intervalFor } from '../../time/span'
import { useSpan } from '../../time/use-span'
import { spanQuery, type Usage, type UsageQuery, usageQuery } from '../../usage'
import { type Dimension, nameOfDimension, nameOfGroup } from '../../usage-dimensions'
import { FilterBar } from '../calls/filters/filter-bar'
import type { SetFilter } from '../calls/filters/kinds'
import { filterQuery } from '../calls/search'
import { Controls, ExportActions } from './controls'
import { filtersOnly, withoutFilters } from './filters'
import { GroupsTable } from './groups-table'
import { measureFields, measureFormats, measureTitles } from './measures'
import type { UsageMeasure, UsageSearch } from './search'
import { TotalSummary } from './total-summary'
import { useChart } from './use-chart'

const shownSeries = 8

const height = 300

const none: readonly string[] = []

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
    measureFields[measure],
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
            title={`${measureTitles[measure]} by ${by.map((each) => nameOfDimension(each).toLowerCase()).join(' and ')}`}
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
                {...measureFormats[measure]}
              />
            ) : (
              <ChartSkeleton height={height} />
            )}
          </Section>
          <GroupsTable
            report={data}
            by={by}
            measure={measureFields[measure]}
            filter={filters}
            isCompared={search.compare === true}
            paintOf={(id) => plot?.series.find((series) => series.id === id)?.ink}
          />
        </>
      )}
    </>
  )
}

function labelOfChart(report: Usage, measure: UsageMeasure, by: readonly Dimension[]): string {
  const { format } = measureFormats[measure]
  const [most] = report.groups
  const all = `${measureTitles[measure]} over time, ${format(report.totals[measureFields[measure]])} in total`
  return most
    ? `${all}; most by ${nameOfGroup(by, most)} with ${format(most[measureFields[measure]])}.`
    : `${all}.`
}

/** The URL of the same report as CSV, for the browser to download. */
function csvUrl(query: UsageQuery, isCompared: boolean): string {
  const address = new URL(`${baseUrl}/v1/usage`)
  const { interval, ...rest } = query
  // With a comparison a row is a group; otherwise it is a group in an interval.
  const parameters = { ...rest, ...(isCompared ? { compare: 'previous' } : { interval }), format: 'csv' }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) address.searchParams.set(name, String(value))
  return address.href
}

/** The display name of a filtered value, which the report has if it is grouped by that dimension. */
function nameIn(report: Usage | undefined, by: readonly Dimension[], { name, value }: SetFilter) {
  const dimension = { keyId: 'key', userId: 'user', teamId: 'team' }[String(name)]
  if (by[0] !== dimension) return undefined
  return report?.groups.find(({ key }) => key === value)?.name
}
