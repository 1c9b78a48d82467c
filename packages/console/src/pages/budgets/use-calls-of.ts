import type { CallsOf } from '../../calls-link'
import { useNow } from '../../components'
import { useSession } from '../../session'
import { type Budget, callsOf } from './budget'

/** Where the number leads to: the calls that sum to what is spent. Null for a member who does not see all of them. */
export function useCallsOf(budget: Budget): CallsOf | null {
  const { role } = useSession()
  const now = useNow()
  const isOwn = budget.scope.type === 'user' || budget.scope.type === 'key'
  return role === 'member' && !isOwn ? null : callsOf(budget, now)
}
