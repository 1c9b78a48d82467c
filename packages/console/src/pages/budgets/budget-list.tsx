import { Link } from '@tanstack/react-router'
import { CallsLink } from '../../calls-link'
import { cx, Money, Skeleton, Tag, Time } from '../../components'
import { formatUsd } from '../../format'
import { type Budget, compareStates, limitOf, periodNames, stateOf } from './budget'
import { BudgetMeter } from './budget-meter'
import { ScopeDescription } from './scope-description'
import { useBudgetCalls } from './use-budget-calls'

/** The budgets with usage bars, those in the worst state first. */
export function BudgetList({
  budgets,
  openId,
}: {
  budgets: readonly Budget[] | undefined
  openId: string | undefined
}) {
  if (budgets === undefined)
    return (
      <div aria-busy className="border-t border-rule-2">
        {Array.from({ length: 5 }, (_, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are identical
          <div key={n} className="flex h-[73px] items-center gap-6 border-b border-rule">
            <Skeleton className="h-8 w-56" />
            <Skeleton className="h-3 flex-1" />
            <Skeleton className="h-8 w-24" />
          </div>
        ))}
      </div>
    )
  return (
    <ul className="m-0 list-none border-t border-rule-2 p-0">
      {[...budgets].sort(compareStates).map((budget) => (
        <BudgetRow key={budget.id} budget={budget} isOpen={budget.id === openId} />
      ))}
    </ul>
  )
}

function BudgetRow({ budget, isOpen }: { budget: Budget; isOpen: boolean }) {
  const calls = useBudgetCalls(budget)
  const state = stateOf(budget)
  const spent = <Money usd={budget.spentUsd} className="font-medium" />
  return (
    <li
      className={cx(
        'relative grid items-center gap-x-6 gap-y-1.5 border-b border-rule py-3 hover:bg-sunken',
        'md:grid-cols-[minmax(0,17rem)_minmax(0,1fr)_8.5rem]',
        isOpen && 'bg-accent-soft hover:bg-accent-soft',
      )}
    >
      <div className="min-w-0">
        <div className="flex items-center gap-2">
          <Link
            to="/budgets"
            search={(before) => ({ ...before, budget: budget.id })}
            aria-current={isOpen ? 'true' : undefined}
            className="truncate text-sm font-medium text-ink no-underline after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {budget.name}
          </Link>
          {budget.action === 'alert' && <Tag>alerts only</Tag>}
        </div>
        <div className="truncate text-xs text-ink-3">
          <ScopeDescription budget={budget} />
        </div>
      </div>
      <div className="min-w-0">
        <div className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
          <span>
            {calls === null ? (
              spent
            ) : (
              <CallsLink calls={calls} className="relative z-10">
                {spent}
              </CallsLink>
            )}
            <span className="text-ink-3">
              {' '}
              of {formatUsd(limitOf(budget))} {periodNames[budget.period]}
            </span>
          </span>
          <BudgetForecast budget={budget} />
        </div>
        <BudgetMeter budget={budget} />
      </div>
      <div className="text-right text-sm max-md:flex max-md:items-baseline max-md:justify-between">
        <div>
          <Money
            usd={budget.remainingUsd}
            className={cx('font-medium', state === 'spent' && 'text-bad', state === 'near' && 'text-warn')}
          />
          <span className="text-ink-3"> left</span>
        </div>
        <div className="text-xs text-ink-3">
          {budget.periodEnd === null ? (
            'never resets'
          ) : (
            <>
              resets <Time at={budget.periodEnd} />
            </>
          )}
        </div>
      </div>
    </li>
  )
}

/** The forecast for the end of the period. */
export function BudgetForecast({ budget }: { budget: Budget }) {
  const limit = limitOf(budget)
  if (stateOf(budget) === 'spent')
    return (
      <span className="text-xs text-bad">
        {budget.action === 'block' ? 'used up: calls are blocked' : 'used up: calls continue'}
      </span>
    )
  if (budget.forecastUsd === null)
    return budget.reservedUsd > 0 ? (
      <span className="text-xs text-ink-3">{formatUsd(budget.reservedUsd)} reserved</span>
    ) : null
  const over = budget.forecastUsd - limit
  return (
    <span className={cx('text-xs', over > 0 ? 'text-warn' : 'text-ink-3')}>
      at the current rate {formatUsd(budget.forecastUsd)}
      {over > 0 && `, ${formatUsd(over)} over`}
    </span>
  )
}
