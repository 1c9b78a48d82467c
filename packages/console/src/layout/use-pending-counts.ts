import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../api'
import { useSession } from '../session'

/** The number of pending decisions by page. */
export function usePendingCounts(): Partial<Record<string, number>> {
  const isManager = useSession().role === 'manager'
  const { data } = useQuery({
    ...apiQuery('/v1/budgets/requests', { params: { query: { status: 'pending' } } }),
    enabled: isManager,
  })
  const attention = useQuery({ ...apiQuery('/v1/attention'), enabled: isManager })
  const tools = attention.data?.tools.reduce((sum, each) => sum + each.changed + each.new, 0)
  return { '/budgets': data?.data.length ?? 0, '/tools': tools ?? 0 }
}
