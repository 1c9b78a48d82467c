import type { ResponseOf } from '../../api'

export type Budget = ResponseOf<'/v1/budgets'>['data'][number]

/** What may be spent in its period, with what was granted. */
export const limitOf = ({ amountUsd, grantedUsd }: Pick<Budget, 'amountUsd' | 'grantedUsd'>) =>
  amountUsd + grantedUsd

/** The budget of the whole tenant for a month; where there are several, the one that ends first. */
export function tenantBudget(budgets: readonly Budget[]): Budget | null {
  const whole = budgets.filter(({ scope, period }) => scope.type === 'tenant' && period === 'monthly')
  return whole.reduce<Budget | null>(
    (least, budget) => (least === null || budget.remainingUsd < least.remainingUsd ? budget : least),
    null,
  )
}

/** Of its own user and keys, which are all that a member is shown of those, and of its team. */
export const isOfMember = ({ scope }: Budget, teamId: string | null) =>
  scope.type === 'user' || scope.type === 'key' || (scope.type === 'team' && scope.id === teamId)
