import { Meter } from '../../components'
import { formatUsd } from '../../format'
import { type Budget, limitOf, stateOf, tones } from './budget'

/** Spent and reserved amounts with the alert threshold and the forecast. */
export function BudgetMeter({ budget, className }: { budget: Budget; className?: string }) {
  const limit = limitOf(budget)
  return (
    <Meter
      label={`${formatUsd(budget.spentUsd)} spent and ${formatUsd(budget.reservedUsd)} reserved of ${formatUsd(limit)}${
        budget.forecastUsd === null ? '' : `, ${formatUsd(budget.forecastUsd)} expected by the end`
      }`}
      value={budget.spentUsd}
      reserved={budget.reservedUsd}
      max={limit}
      threshold={(limit * budget.thresholdPct) / 100}
      forecast={budget.forecastUsd}
      tone={tones[stateOf(budget)]}
      className={className}
    />
  )
}
