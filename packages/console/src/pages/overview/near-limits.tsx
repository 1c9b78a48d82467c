import { Link } from '@tanstack/react-router'
import type { ResponseOf } from '../../api'
import { Meter, Section, Skeleton, type Tone } from '../../components'
import { formatInteger, formatUsd } from '../../format'
import { type Budget, limitOf } from './budgets'

type Limit = ResponseOf<'/v1/attention'>['limits'][number]

interface Row {
  id: string
  name: string
  kind: string
  spentUsd: number
  reservedUsd: number
  limitUsd: number
  thresholdPct: number
  forecastUsd: number | null
}

const shownRows = 4

/** Budgets and caps near their threshold, and budgets whose forecast exceeds them, fullest first. */
export function NearLimits({
  budgets,
  limits,
  isOwn,
}: {
  budgets: readonly Budget[] | undefined
  limits: readonly Limit[] | undefined
  /** Members see all of their budgets, because they have few. */
  isOwn: boolean
}) {
  const title = isOwn ? 'Your budgets' : 'Budgets near their limit'
  if (!budgets)
    return (
      <Section title={title}>
        <Skeleton className="h-28" />
      </Section>
    )
  const rows = rowsOf(budgets, limits ?? [], isOwn)
  return (
    <Section
      title={title}
      note={rows.length > shownRows && `${shownRows} of ${formatInteger(rows.length)}`}
      aside={
        <Link to="/budgets" className="link text-xs">
          View all budgets
        </Link>
      }
    >
      {rows.length === 0 ? (
        <p className="m-0 border-t border-rule py-3 text-sm text-ink-2">
          {budgets.length === 0
            ? isOwn
              ? 'No budgets apply to you or your team.'
              : 'No budgets yet: spend is not limited.'
            : 'All budgets are below their threshold and expected to last.'}
        </p>
      ) : (
        <ul className="m-0 list-none border-t border-rule p-0">
          {rows.slice(0, shownRows).map((row) => (
            <NearLimit key={`${row.kind} ${row.id}`} row={row} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function NearLimit({ row }: { row: Row }) {
  const { name, kind, spentUsd, reservedUsd, limitUsd, thresholdPct, forecastUsd } = row
  const share = limitUsd > 0 ? spentUsd / limitUsd : 1
  const tone: Tone = share >= 1 ? 'bad' : share * 100 >= thresholdPct ? 'warn' : 'accent'
  return (
    <li className="border-b border-rule py-2.5 text-sm">
      <div className="mb-1.5 flex items-baseline gap-3">
        <span className="min-w-0 truncate">
          <b className="font-medium">{name}</b> <span className="text-xs text-ink-3">{kind}</span>
        </span>
        <span className="num ml-auto whitespace-nowrap text-ink-2">
          {formatUsd(spentUsd)}{' '}
          <span className="text-ink-3">of {formatUsd(limitUsd).replace(/\.00$/, '')}</span>
        </span>
      </div>
      <Meter
        label={`${name}: spent ${formatUsd(spentUsd)} of ${formatUsd(limitUsd)}`}
        value={spentUsd}
        reserved={reservedUsd}
        max={limitUsd}
        threshold={(limitUsd * thresholdPct) / 100}
        forecast={forecastUsd}
        tone={tone}
      />
      {forecastUsd !== null && forecastUsd > limitUsd && share < 1 && (
        <div className="mt-1 text-xs text-ink-3">
          forecast: {formatUsd(forecastUsd)}, {formatUsd(forecastUsd - limitUsd)} over
        </div>
      )}
      {share >= 1 && <div className="mt-1 text-xs text-bad">used up</div>}
    </li>
  )
}

function rowsOf(budgets: readonly Budget[], limits: readonly Limit[], isAll: boolean): Row[] {
  const near = budgets
    .filter((budget) => {
      const limit = limitOf(budget)
      return (
        isAll || budget.spentUsd * 100 >= limit * budget.thresholdPct || (budget.forecastUsd ?? 0) > limit
      )
    })
    .map((budget) => ({
      ...budget,
      kind: budget.name.toLowerCase().includes(budget.period) ? '' : budget.period,
      limitUsd: limitOf(budget),
    }))
  const others = limits
    .filter(({ type }) => type !== 'budget')
    .map((limit) => ({
      ...limit,
      // The label beside it already names the kind.
      name: /"(.*)"/.exec(limit.title)?.[1] ?? limit.title,
      kind: limit.type === 'pool' ? 'team budget' : 'personal cap',
      reservedUsd: 0,
      forecastUsd: null,
    }))
  return [...near, ...others].sort((a, b) => fullness(b) - fullness(a))
}

const fullness = ({ spentUsd, limitUsd }: { spentUsd: number; limitUsd: number }) =>
  limitUsd > 0 ? spentUsd / limitUsd : 1
