import type { ReactNode } from 'react'
import { type CallSelection, CallsLink } from '../../calls-link'
import { Sparkline } from '../../charts'
import { errorOutcomes, nameOfOutcome, Skeleton } from '../../components'
import { formatChange, formatCompact, formatDuration, formatInteger, formatShare } from '../../format'
import { spanOfReport, type Usage } from '../../usage'

/** Calls, latency, failures and blocks, each with a sparkline. */
export function Figures({ report, outcomes }: { report: Usage | undefined; outcomes: Usage | undefined }) {
  if (!report)
    return (
      <div className={grid}>
        {['Calls', 'Latency, p95', 'Failed', 'Blocked'].map((name) => (
          <div key={name} className={cell}>
            <div className="text-xs text-ink-3">{name}</div>
            <Skeleton className="mt-1 h-6 w-24" />
            <Skeleton className="mt-2 h-4 w-40" />
            <Skeleton className="mt-2 h-10" />
          </div>
        ))}
      </div>
    )
  const { totals, series, previous } = report
  const span = spanOfReport(report)
  const before = previous?.totals
  const known = (value: (point: Usage['series'][number]) => number) =>
    series.map((point) => (point.requests === 0 ? null : value(point)))
  const failures = errorOutcomes
    .map((key) => ({ key, requests: outcomes?.groups.find((group) => group.key === key)?.requests ?? 0 }))
    .filter(({ requests }) => requests > 0)
  return (
    <div className={grid}>
      <Figure
        name="Calls"
        value={formatInteger(totals.requests)}
        calls={span}
        change={changeOf(totals.requests, before?.requests)}
        note={<>{formatCompact(totals.totalTokens)} tokens</>}
        line={
          <Sparkline
            label={`Calls over time, ${formatInteger(totals.requests)} in total`}
            values={series.map(({ requests }) => requests)}
          />
        }
      />
      <Figure
        name="Latency, p95"
        value={totals.requests === 0 ? '–' : formatDuration(totals.p95LatencyMs)}
        calls={span}
        change={totals.requests === 0 ? null : changeOf(totals.p95LatencyMs, before?.p95LatencyMs)}
        note={totals.requests === 0 ? 'no calls' : <>p50: {formatDuration(totals.p50LatencyMs)}</>}
        line={
          <Sparkline
            label={`Latency over time: p95 ${formatDuration(totals.p95LatencyMs)}, median ${formatDuration(totals.p50LatencyMs)}`}
            values={known(({ p95LatencyMs }) => p95LatencyMs)}
            second={known(({ p50LatencyMs }) => p50LatencyMs)}
            color="var(--series-4)"
          />
        }
      />
      <Figure
        name="Failed"
        value={totals.requests === 0 ? '–' : formatShare(totals.errors / totals.requests)}
        change={
          before && before.requests > 0 && totals.requests > 0
            ? pointsOf(totals.errors / totals.requests - before.errors / before.requests)
            : null
        }
        note={
          totals.errors === 0
            ? 'none'
            : failures.map(({ key, requests }, n) => (
                <span key={key}>
                  {n > 0 && ', '}
                  <CallsLink calls={{ ...span, filter: { outcome: key } }}>
                    {formatInteger(requests)} {nameOfOutcome(key)}
                  </CallsLink>
                </span>
              ))
        }
        line={
          <Sparkline
            label={`Failed calls over time, ${formatInteger(totals.errors)} in total`}
            values={series.map(({ errors }) => errors)}
            color="var(--bad)"
          />
        }
      />
      <Figure
        name="Blocked"
        value={formatInteger(totals.blocked)}
        calls={{ ...span, filter: { outcome: 'blocked' } }}
        change={changeOf(totals.blocked, before?.blocked)}
        note={
          totals.rateLimited > 0
            ? `and ${formatInteger(totals.rateLimited)} rate limited`
            : totals.requests > 0
              ? `${formatShare(totals.blocked / totals.requests)} of calls`
              : 'none'
        }
        line={
          <Sparkline
            label={`Blocked calls over time, ${formatInteger(totals.blocked)} in total`}
            values={series.map(({ blocked }) => blocked)}
            color="var(--warn)"
          />
        }
      />
    </div>
  )
}

const grid =
  'mb-10 grid grid-cols-2 border-y border-rule lg:grid-cols-4 [&>*]:border-rule max-lg:[&>*:nth-child(even)]:border-l max-lg:[&>*:nth-child(n+3)]:border-t lg:[&>*+*]:border-l'
const cell = 'min-w-0 px-4 py-3 max-lg:odd:pl-0 max-lg:even:pr-0 lg:first:pl-0 lg:last:pr-0'

interface FigureProps {
  name: string
  value: string
  calls?: CallSelection
  change: string | null
  note: ReactNode
  line: ReactNode
}

function Figure({ name, value, calls, change, note, line }: FigureProps) {
  return (
    <div className={cell}>
      <div className="text-xs text-ink-3">{name}</div>
      <div className="mt-0.5 flex flex-wrap items-baseline gap-x-2">
        <span className="num text-xl font-semibold tracking-[-0.01em]">
          {calls ? <CallsLink calls={calls}>{value}</CallsLink> : value}
        </span>
        {change && (
          <span className="num text-xs text-ink-3" title="Compared with the previous period">
            {change}
          </span>
        )}
      </div>
      <div className="mb-2 truncate text-xs text-ink-3">{note}</div>
      {line}
    </div>
  )
}

/** The relative change, such as +12 %; null without a previous value. */
function changeOf(now: number, before: number | undefined): string | null {
  if (before === undefined || before === 0) return null
  const change = now / before - 1
  return Math.abs(change) < 0.0005 ? '±0 %' : formatChange(change)
}

/** The difference between two shares in percentage points, such as +0.2 pt. */
function pointsOf(difference: number): string {
  const points = Math.abs(difference * 100)
  return `${difference < 0 ? '−' : '+'}${points.toLocaleString('en-US', { maximumFractionDigits: 2 })} pt`
}
