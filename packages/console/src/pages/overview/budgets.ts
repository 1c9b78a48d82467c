import type { ResponseOf } from '../../api'

export type Budget = ResponseOf<'/v1/budgets'>['data'][number]

/** The limit of the current period: the amount and granted increases. */
export const limitOf = ({ amountUsd, grantedUsd }: Pick<Budget, 'amountUsd' | 'grantedUsd'>) =>
  amountUsd + grantedUsd

/** The monthly budget of the whole tenant; if there are several, the one that runs out first. */
export function tenantBudget(budgets: readonly Budget[]): Budget | null {
  const whole = budgets.filter(({ scope, period }) => scope.type === 'tenant' && period === 'monthly')
  return whole.reduce<Budget | null>(
    (least, budget) => (least === null || budget.remainingUsd < least.remainingUsd ? budget : least),
    null,
  )
}

/** Whether a budget applies to the member. The API shows members only their own budgets, those of their keys and of their team. */
export const isOfMember = ({ scope }: Budget, teamId: string | null) =>
  scope.type === 'user' || scope.type === 'key' || (scope.type === 'team' && scope.id === teamId)
