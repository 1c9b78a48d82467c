import type { CallSelection } from '../../calls-link'
import { useNow } from '../../components'
import { useSession } from '../../session'
import { type Budget, callSelectionOf } from './budget'

/** The calls that a budget counts, or null for members, who may not see all of them. */
export function useBudgetCalls(budget: Budget): CallSelection | null {
  const { role } = useSession()
  const now = useNow()
  const isOwn = budget.scope.type === 'user' || budget.scope.type === 'key'
  return role === 'member' && !isOwn ? null : callSelectionOf(budget, now)
}
