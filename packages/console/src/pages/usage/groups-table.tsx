import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ReactNode } from 'react'
import { type CallSelection, CallsLink } from '../../calls-link'
import { groupId, type Measure, type Paint, Swatch } from '../../charts'
import { cx, Skeleton, Unknown } from '../../components'
import {
  formatChange,
  formatDuration,
  formatInteger,
  formatShare,
  formatUsd,
  formatUsdExactly,
  shortenId,
} from '../../format'
import { spanOfReport, type Usage, type UsageGroup } from '../../usage'
import {
  type Dimension,
  dimensionValues,
  filterOfGroup,
  nameOfDimension,
  nameOfValue,
} from '../../usage-dimensions'

interface GroupsTableProps {
  report: Usage | undefined
  by: readonly Dimension[]
  measure: Measure
  filter: NonNullable<CallSelection['filter']>
  isCompared: boolean
  /** The colour of a group in the chart; undefined for groups that the chart sums up as the rest. */
  paintOf(id: string): Paint | undefined
}

const shownRows = 200
/** The share of failed calls that is highlighted. */
const failingShare = 0.02
const cell = 'h-9 px-2 text-right whitespace-nowrap'

/** The groups with their figures. The total comes from the API, not from summing rows. */
export function GroupsTable({ report, by, measure, filter, isCompared, paintOf }: GroupsTableProps) {
  if (!report) return <TableSkeleton columns={by.length + 5} />
  const span = spanOfReport(report)
  const rows = report.groups.slice(0, shownRows)
  const unlisted = report.groups.length - rows.length + (report.rest?.groups ?? 0)
  return (
    <div className="overflow-x-auto">
      <table aria-label="Usage by group" className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-rule-2 text-xs text-ink-3 [&>th]:h-8 [&>th]:px-2 [&>th]:font-medium [&>th]:whitespace-nowrap">
            {by.map((dimension, i) => (
              <th key={dimension} scope="col" className={cx('text-left', i === 0 && '!pl-0')}>
                {nameOfDimension(dimension)}
              </th>
            ))}
            <Heading isChosen={measure === 'spendUsd'}>Spent</Heading>
            <th scope="col" className="text-right">
              Share
            </th>
            {isCompared && (
              <th scope="col" className="text-right">
                Change
              </th>
            )}
            <Heading isChosen={measure === 'requests'}>Calls</Heading>
            <Heading isChosen={measure === 'totalTokens'}>Tokens</Heading>
            <th scope="col" className="text-right max-md:hidden">
              p95
            </th>
            <th scope="col" className="!pr-0 text-right max-md:hidden">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-b border-rule-2 font-semibold">
            <th scope="row" colSpan={by.length} className="h-9 text-left font-semibold">
              All
            </th>
            <Figures
              figures={report.totals}
              totals={report.totals}
              measure={measure}
              calls={{ ...span, filter }}
              {...(isCompared && { change: report.previous?.change.spendPct ?? null })}
            />
          </tr>
          {rows.map((group) => {
            const groupFilter = filterOfGroup(by, group)
            const ink = paintOf(groupId(group))
            return (
              <tr key={groupId(group)} className="border-b border-rule hover:bg-sunken/60">
                {dimensionValues(group).map((value, i) => (
                  <th
                    key={by[i] ?? i}
                    scope="row"
                    className={cx(
                      'h-9 max-w-64 px-2 text-left font-normal',
                      i === 0 && '!pl-0',
                      value.key === null && 'text-ink-3 italic',
                    )}
                  >
                    <span className="flex items-center gap-2">
                      {i === 0 && <span className="flex w-2.5 shrink-0">{ink && <Swatch ink={ink} />}</span>}
                      <span
                        className={cx('truncate', isMono(by[i]) && value.key !== null && 'mono')}
                        title={value.key ?? undefined}
                      >
                        {nameOfValue(by[i] ?? 'model', value)}
                      </span>
                      {value.name && value.key !== null && value.name !== value.key && (
                        <span className="mono truncate text-2xs text-ink-3 max-md:hidden">
                          {shortenId(value.key)}
                        </span>
                      )}
                    </span>
                  </th>
                ))}
                <Figures
                  figures={group}
                  totals={report.totals}
                  measure={measure}
                  calls={
                    groupFilter && {
                      ...span,
                      filter: { ...groupFilter, ...filter, ...mergeTags(groupFilter, filter) },
                    }
                  }
                  {...(isCompared && { change: changeOf(group) })}
                />
              </tr>
            )
          })}
          {unlisted > 0 && (
            <tr className="border-b border-rule text-ink-3">
              <td colSpan={by.length + 7} className="h-9">
                and {formatInteger(unlisted)} more, included in the total above and in the CSV file
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

const monoDimensions: readonly Dimension[] = [
  'model',
  'session',
  'provider',
  'route',
  'agent',
  'batch',
  'server',
  'tool',
]
const isMono = (dimension: Dimension | undefined) =>
  dimension !== undefined && monoDimensions.includes(dimension)

/** Combines the tags of both filters. */
const mergeTags = (a: NonNullable<CallSelection['filter']>, b: NonNullable<CallSelection['filter']>) => {
  const tags = [...new Set([...(a.tags ?? []), ...(b.tags ?? [])])]
  return tags.length > 0 ? { tags } : {}
}

/** The relative change of spend; null without a previous value. */
const changeOf = ({ change }: UsageGroup): number | null => change?.spendPct ?? null

const Heading = ({ isChosen, children }: { isChosen: boolean; children: string }) => (
  <th scope="col" className={cx('text-right', isChosen && 'text-ink')}>
    <span className="inline-flex items-center gap-0.5">
      {children}
      {isChosen && <ChevronDown size={12} aria-hidden />}
    </span>
  </th>
)

interface FiguresProps {
  figures: Usage['totals']
  totals: Usage['totals']
  measure: Measure
  calls: CallSelection | null
  change?: number | null
}

function Figures({ figures, totals, measure, calls, change }: FiguresProps) {
  const share = totals[measure] > 0 ? figures[measure] / totals[measure] : null
  return (
    <>
      <td className={cell} title={formatUsdExactly(figures.spendUsd)}>
        <FigureLink calls={calls}>{formatUsd(figures.spendUsd)}</FigureLink>
      </td>
      <td className={cx(cell, 'text-ink-3')}>{share === null ? <Unknown /> : formatShare(share)}</td>
      {change !== undefined && (
        <td className={cx(cell, 'text-ink-2')}>
          {change === null ? <span className="text-ink-3">new</span> : formatChange(change / 100)}
        </td>
      )}
      <td className={cell}>
        <FigureLink calls={calls}>{formatInteger(figures.requests)}</FigureLink>
      </td>
      <td
        className={cell}
        title={`${formatInteger(figures.inputTokens)} in, ${formatInteger(figures.outputTokens)} out`}
      >
        {formatInteger(figures.totalTokens)}
      </td>
      <td className={cx(cell, 'text-ink-2 max-md:hidden')}>
        {figures.requests === 0 ? <Unknown /> : formatDuration(figures.p95LatencyMs)}
      </td>
      <td
        className={cx(
          cell,
          '!pr-0 max-md:hidden',
          figures.errors >= figures.requests * failingShare && figures.errors > 0 ? 'text-bad' : 'text-ink-3',
        )}
      >
        {figures.requests === 0 ? <Unknown /> : formatShare(figures.errors / figures.requests)}
      </td>
    </>
  )
}

const FigureLink = ({ calls, children }: { calls: CallSelection | null; children: ReactNode }) =>
  calls ? (
    <CallsLink calls={calls}>{children}</CallsLink>
  ) : (
    <span title="No link: calls without this value cannot be filtered">{children}</span>
  )

const TableSkeleton = ({ columns }: { columns: number }) => (
  <div aria-hidden>
    {Array.from({ length: 8 }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows are identical
      <div key={row} className="flex h-9 items-center gap-4 border-b border-rule">
        {Array.from({ length: columns }, (_, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows are identical
          <Skeleton key={n} className={cx('h-3.5', n === 0 ? 'w-40' : 'ml-auto w-16')} />
        ))}
      </div>
    ))}
  </div>
)
