import { useMutation, useQuery } from '@tanstack/react-query'
import { api, apiQuery, expectSuccess } from '../../api'
import { Confirm, ErrorState, notify } from '../../components'
import { formatUsd } from '../../format'
import { type Budget, limitOf, periodNames } from './budget'
import { useRefreshBudgets } from './use-budgets'

export function DeleteBudget({
  budget,
  onClose,
  onGone,
}: {
  budget: Budget
  onClose(): void
  onGone(): void
}) {
  const refresh = useRefreshBudgets()
  const pending = useQuery(
    apiQuery('/v1/budgets/requests', {
      params: { query: { budgetId: budget.id, status: 'pending', limit: 200 } },
    }),
  )
  const remove = useMutation({
    mutationFn: async () => {
      await expectSuccess(api.DELETE('/v1/budgets/{id}', { params: { path: { id: budget.id } } }))
    },
    onSuccess: async () => {
      notify(`Budget “${budget.name}” deleted`)
      onGone()
      await refresh()
    },
  })
  const pendingCount = pending.data?.data.length ?? 0
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete “${budget.name}”?`}
      action="Delete budget"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
    >
      <p className="m-0">
        {budget.action === 'block'
          ? `These calls will no longer be blocked at ${formatUsd(limitOf(budget))} ${periodNames[budget.period]}. Other budgets, team budgets and caps still apply.`
          : 'This budget sends no more alerts.'}{' '}
        {pendingCount > 0 &&
          `${pendingCount === 1 ? 'A request' : `${pendingCount} requests`} for an increase can then no longer be approved. `}
        Past spend stays in the record.
      </p>
      {remove.error !== null && <ErrorState error={remove.error} className="mt-3" />}
    </Confirm>
  )
}
