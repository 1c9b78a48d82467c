import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { apiWholeList } from '../../api'
import { CallsLink } from '../../calls-link'
import { HorizontalShare, otherPaint, Swatch, useModelPaints } from '../../charts'
import { cx, EmptyState, ErrorState, Money, Section, Skeleton, Unknown } from '../../components'
import { formatShare, formatUsd } from '../../format'
import type { ChosenSpan } from '../../time/use-span'
import { spanOfReport, spanQuery, type UsageGroup, usageQuery } from '../../usage'
import { filterFor, nameOfValue } from '../../usage-dimensions'
import type { Breakdown } from './search'

const names: Record<Breakdown, string> = { team: 'Teams', key: 'Keys', user: 'People', model: 'Models' }
const shownRows = 8

interface SpendBreakdownProps {
  span: ChosenSpan
  by: Breakdown
  choices: readonly Breakdown[]
}

/** The groups with the highest spend, each with its share by model. */
export function SpendBreakdown({ span, by, choices }: SpendBreakdownProps) {
  const navigate = useNavigate({ from: '/' })
  const report = useQuery(usageQuery({ ...spanQuery(span), groupBy: by }))
  return (
    <Section
      title="Spend breakdown"
      aside={
        <>
          <div role="group" aria-label="Group by" className="flex gap-0.5">
            {choices.map((choice) => (
              <button
                key={choice}
                type="button"
                aria-pressed={choice === by}
                onClick={() =>
                  void navigate({
                    search: (now) => ({ ...now, by: choice === choices[0] ? undefined : choice }),
                    replace: true,
                    resetScroll: false,
                  })
                }
                className={cx(
                  'h-6 rounded-sm px-2 text-xs',
                  choice === by ? 'bg-sunken font-medium text-ink' : 'text-ink-3 hover:text-ink',
                )}
              >
                {names[choice]}
              </button>
            ))}
          </div>
          <Link
            to="/usage"
            search={{ by: by === 'model' ? ['model'] : [by, 'model'] }}
            className="link text-xs"
          >
            View usage
          </Link>
        </>
      }
    >
      {report.error && !report.data ? (
        <ErrorState error={report.error} retry={() => void report.refetch()} />
      ) : (
        <Rows span={span} by={by} report={report.data} />
      )}
    </Section>
  )
}

type Report = { from: string; to: string; totals: { spendUsd: number }; groups: UsageGroup[] }

function Rows({ span, by, report }: { span: ChosenSpan; by: Breakdown; report: Report | undefined }) {
  const parts = useQuery({
    ...usageQuery({ ...spanQuery(span), groupBy: by === 'model' ? 'model,provider' : `${by},model` }),
  })
  const teams = useQuery({
    ...apiWholeList('/v1/team/teams'),
    enabled: by === 'team',
  })
  const paintOf = useModelPaints()
  // A team budget covers a calendar month, so it is shown only for a month.
  const hasPools = by === 'team' && span.range === 'month'
  const pools = new Map(teams.data?.map(({ id, budgetPoolUsd }) => [id, budgetPoolUsd]))
  if (report?.groups.length === 0)
    return <EmptyState title="No calls in this time range">Choose a longer time range above.</EmptyState>
  const rows = report?.groups.slice(0, shownRows)
  const most = rows?.[0]?.spendUsd ?? 0
  return (
    <table className="w-full table-fixed border-collapse text-sm" aria-busy={!report}>
      <thead>
        <tr className="border-b border-rule-2 text-xs text-ink-3 [&>th]:h-8 [&>th]:font-medium">
          <th scope="col" className="w-[32%] text-left sm:w-[26%]">
            {names[by].replace(/s$/, '').replace('People', 'Person')}
          </th>
          <th scope="col" className="px-3 text-left max-sm:hidden">
            {by === 'model' ? 'Provider' : 'Top model'}
          </th>
          <th scope="col" className="w-[30%] px-3 text-left">
            <span className="sr-only">Share by model</span>
          </th>
          <th scope="col" className="w-24 text-right">
            Spend
          </th>
          {hasPools && (
            <th scope="col" className="w-20 text-right max-sm:hidden">
              Budget
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows === undefined || report === undefined
          ? Array.from({ length: 5 }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are identical
              <tr key={row} className="h-10 border-b border-rule">
                <td colSpan={5}>
                  <Skeleton className="h-3.5 w-full" />
                </td>
              </tr>
            ))
          : rows.map((group) => {
              const modelGroups = parts.data?.groups.filter(({ key }) => key === group.key) ?? []
              const filter = filterFor(by, group.key)
              const label = nameOfValue(by, group)
              const pool = group.key === null ? undefined : pools.get(group.key)
              const [first] = modelGroups
              return (
                <tr key={group.key ?? ''} className="h-10 border-b border-rule">
                  <th scope="row" className="truncate pr-2 text-left font-medium" title={group.key ?? label}>
                    {by === 'model' ? (
                      <span className="inline-flex max-w-full items-center gap-2">
                        <Swatch ink={paintOf?.(group.key) ?? otherPaint} />
                        <span className="mono truncate">{label}</span>
                      </span>
                    ) : (
                      label
                    )}
                  </th>
                  <td className="truncate px-3 text-ink-2 max-sm:hidden">
                    {first?.second ? (
                      <span className={by === 'model' ? undefined : 'mono'} title={topModel(first, group)}>
                        {nameOfValue(by === 'model' ? 'provider' : 'model', first.second)}
                      </span>
                    ) : (
                      <Unknown />
                    )}
                  </td>
                  <td className="px-3">
                    <HorizontalShare
                      label={`${label}: ${formatUsd(group.spendUsd)}${pool === undefined ? '' : ` of ${formatUsd(pool)}`}`}
                      className="bg-rule"
                      max={hasPools ? Math.max(pool ?? most, group.spendUsd) : most}
                      parts={
                        by === 'model'
                          ? [{ id: label, value: group.spendUsd, ink: paintOf?.(group.key) ?? otherPaint }]
                          : sharesOf(modelGroups, group, paintOf)
                      }
                    />
                  </td>
                  <td className="text-right">
                    {filter ? (
                      <CallsLink calls={{ ...spanOfReport(report), filter }}>
                        <Money usd={group.spendUsd} />
                      </CallsLink>
                    ) : (
                      <span title="Calls without a value cannot be filtered">
                        <Money usd={group.spendUsd} />
                      </span>
                    )}
                  </td>
                  {hasPools && (
                    <td
                      className={cx(
                        'num text-right max-sm:hidden',
                        pool !== undefined && group.spendUsd > pool * 0.9 ? 'text-warn' : 'text-ink-3',
                      )}
                    >
                      {pool === undefined ? <Unknown /> : formatUsd(pool).replace(/\.00$/, '')}
                    </td>
                  )}
                </tr>
              )
            })}
      </tbody>
    </table>
  )
}

const topModel = (first: UsageGroup, whole: UsageGroup) =>
  whole.spendUsd > 0 ? `${formatShare(first.spendUsd / whole.spendUsd)} of its spend` : ''

/** The share of each model in a row; models that the report does not list are summed up as the rest. */
function sharesOf(own: readonly UsageGroup[], whole: UsageGroup, paintOf: ReturnType<typeof useModelPaints>) {
  const parts = own.map(({ second, spendUsd }) => ({
    id: second?.key ?? '',
    value: spendUsd,
    ink: paintOf?.(second?.key ?? null) ?? otherPaint,
  }))
  const known = parts.reduce((sum, { value }) => sum + value, 0)
  if (whole.spendUsd - known > 1e-9)
    parts.push({ id: '(rest)', value: whole.spendUsd - known, ink: otherPaint })
  return parts
}
