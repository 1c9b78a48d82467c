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
  const attention = useQuery({ ...ask('/v1/attention'), enabled: isManager })
  const tools = attention.data?.tools.reduce((sum, each) => sum + each.changed + each.new, 0)
  return { '/budgets': data?.data.length ?? 0, '/tools': tools ?? 0 }
}
