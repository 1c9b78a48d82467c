import type { ResponseOf } from '../../api'
import type { CallSelection } from '../../calls-link'
import type { Tone } from '../../components'

export type Budget = ResponseOf<'/v1/budgets'>['data'][number]
export type BudgetRequest = ResponseOf<'/v1/budgets/requests'>['data'][number]

/** The limit of the current period: the amount and granted increases. */
export const limitOf = ({ amountUsd, grantedUsd }: Budget) => amountUsd + grantedUsd

export type BudgetState = 'spent' | 'near' | 'short' | 'fine'

/** The state of a budget: used up, past its threshold, expected to run out, or fine. */
export function stateOf(budget: Budget): BudgetState {
  const limit = limitOf(budget)
  if (budget.spentUsd >= limit || budget.remainingUsd === 0) return 'spent'
  if (budget.spentUsd >= (limit * budget.thresholdPct) / 100) return 'near'
  if (budget.forecastUsd !== null && budget.forecastUsd > limit) return 'short'
  return 'fine'
}

export const tones: Record<BudgetState, Tone> = {
  spent: 'bad',
  near: 'warn',
  short: 'accent',
  fine: 'accent',
}

/** Sorts by severity, then by the share that is used. */
export function compareStates(a: Budget, b: Budget): number {
  const order: BudgetState[] = ['spent', 'near', 'short', 'fine']
  const bySeverity = order.indexOf(stateOf(a)) - order.indexOf(stateOf(b))
  return bySeverity !== 0 ? bySeverity : b.spentUsd / limitOf(b) - a.spentUsd / limitOf(a)
}

/** Whether each session, or each value of a tag, has the whole amount. */
export const appliesPerValue = ({ scope: { type, id } }: Pick<Budget, 'scope'>) =>
  (type === 'session' && id === '*') || (type === 'tag' && id.endsWith('=*'))

/** The calls that a budget counts; members get their own. Null if a filter cannot select them. */
export function callSelectionOf(budget: Budget, now: Date): CallSelection | null {
  const { scope, leading, periodStart, periodEnd } = budget
  const span = { from: new Date(periodStart), to: new Date(periodEnd ?? now) }
  const id = appliesPerValue(budget) ? leading : scope.id
  if (id === null || id === undefined) return null
  switch (scope.type) {
    case 'tenant':
      return span
    case 'team':
      return { ...span, filter: { teamId: id } }
    case 'user':
      return { ...span, filter: { userId: id } }
    case 'key':
      return { ...span, filter: { keyId: id } }
    case 'session':
      return { ...span, filter: { session: id } }
    case 'tag':
      return { ...span, filter: { tags: [id] } }
  }
}

export const periodNames: Record<Budget['period'], string> = {
  daily: 'per day',
  weekly: 'per week',
  monthly: 'per month',
  total: 'total',
}
