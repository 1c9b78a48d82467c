import { Status, Time } from '../../../components'
import { formatShare } from '../../../format'
import type { Route } from '../use-providers'
import { strategies, type Target } from './descriptions'

const rowHeight = 52
const fanWidth = 44

/** Callers, the route and its targets. A line is as thick as the target's share and dashed if the target is unavailable. */
export function RouteGraph({ route }: { route: Route }) {
  const { targets, name, strategy } = route
  const height = targets.length * rowHeight
  const middle = height / 2
  const shares = sharesOf(route)
  return (
    <div
      className="grid grid-cols-[minmax(72px,auto)_44px_minmax(0,1fr)] items-center sm:grid-cols-[auto_24px_minmax(72px,auto)_44px_minmax(0,1fr)]"
      style={{ minHeight: height }}
    >
      <Node className="max-sm:hidden">callers</Node>
      <svg aria-hidden className="h-3 w-6 max-sm:hidden" viewBox="0 0 24 12">
        <path d="M0 6H23M18 2l5 4-5 4" fill="none" stroke="var(--ink-3)" strokeWidth="1.25" />
      </svg>
      <Node isMain>
        <code className="block max-w-36 truncate !text-sm font-medium text-ink" title={name}>
          {name}
        </code>
        {strategies[strategy].short}
      </Node>
      <svg aria-hidden width={fanWidth} height={height} viewBox={`0 0 ${fanWidth} ${height}`}>
        {targets.map((target, n) => (
          <Edge
            // biome-ignore lint/suspicious/noArrayIndexKey: targets are identified by their position
            key={n}
            target={target}
            share={shares[n] ?? 0}
            from={middle}
            to={n * rowHeight + rowHeight / 2}
          />
        ))}
      </svg>
      <ol aria-label="Targets" className="m-0 list-none p-0 pl-2">
        {targets.map((target, n) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: targets are identified by their position
            key={n}
            className="flex min-w-0 flex-col justify-center text-sm"
            style={{ height: rowHeight }}
          >
            <code className="truncate" title={target.model}>
              {target.model}
            </code>
            <span className="flex min-w-0 items-center gap-2 text-xs text-ink-3">
              <TargetState target={target} />
              <span className="truncate">
                {roleOf(route, n, shares[n] ?? 0)}
                {target.dialect !== undefined && ` · only ${target.dialect}`}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

const Node = ({
  children,
  className = '',
  isMain = false,
}: {
  children: React.ReactNode
  className?: string
  isMain?: boolean
}) => (
  <span
    className={`rounded-md border bg-raised px-2 py-1.5 text-xs text-ink-2 ${isMain ? 'border-accent' : 'border-rule-2'} ${className}`}
  >
    {children}
  </span>
)

interface EdgeProps {
  target: Target
  share: number
  from: number
  to: number
}

function Edge({ target, share, from, to }: EdgeProps) {
  const end = fanWidth - 6
  const { stroke, dash } = lines[target.state]
  return (
    <>
      <path
        d={`M0 ${from}C${fanWidth * 0.55} ${from} ${fanWidth * 0.35} ${to} ${end} ${to}`}
        fill="none"
        stroke={stroke}
        strokeWidth={1.25 + 3 * share}
        strokeDasharray={dash}
      />
      {target.state === 'ok' ? (
        <circle cx={end + 2} cy={to} r={3} fill={stroke} />
      ) : (
        <path d={`M${end - 2} ${to - 4}l8 8m0 -8l-8 8`} stroke={stroke} strokeWidth="1.5" fill="none" />
      )}
    </>
  )
}

const lines: Record<Target['state'], { stroke: string; dash?: string }> = {
  ok: { stroke: 'var(--accent)' },
  cooldown: { stroke: 'var(--warn)', dash: '4 3' },
  missing: { stroke: 'var(--bad)', dash: '1.5 3' },
}

function TargetState({ target: { state, until } }: { target: Target }) {
  if (state === 'missing') return <Status tone="bad">model not found</Status>
  if (state === 'ok') return <Status tone="ok">ok</Status>
  return (
    <Status tone="warn">
      in cooldown{until !== null && ', ends '}
      {until !== null && <Time at={until} />}
    </Status>
  )
}

/** The share of calls of each target while all are available; fallbacks get none. */
function sharesOf({ strategy, targets }: Route): number[] {
  const usable = targets.filter(({ state }) => state === 'ok')
  const weights = usable.reduce((sum, { weight }) => sum + weight, 0)
  return targets.map((target) => {
    if (target.state !== 'ok') return 0
    if (strategy === 'weighted') return target.weight / weights
    return strategy === 'priority' && usable[0] === target ? 1 : 0
  })
}

function roleOf({ strategy, targets }: Route, n: number, share: number): string {
  if (strategy === 'fastest') return ''
  if (strategy === 'weighted')
    return `weight ${targets[n]?.weight}${share > 0 ? `, ${formatShare(share)} of calls` : ''}`
  return n === 0 ? 'first' : share === 1 ? 'fallback' : 'next'
}
