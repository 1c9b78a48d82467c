import { useQuery } from '@tanstack/react-query'
import { ask } from '../api'
import { useSession } from '../session'

/** How much waits for a decision, by page. */
export function useWaiting(): Partial<Record<string, number>> {
  const isManager = useSession().role === 'manager'
  const { data } = useQuery({
    ...ask('/v1/budgets/requests', { params: { query: { status: 'pending' } } }),
    enabled: isManager,
  })
  return { '/budgets': data?.data.length ?? 0 }
}
