import { useQuery } from '@tanstack/react-query'
import { apiQuery, type ResponseOf } from '../../api'
import { useLiveEvents } from '../../layout/live-updates'

export type Call = ResponseOf<'/v1/calls'>['data'][number]

/** The newest call with a key, updated live. `since` bounds the search. */
export function useLatestCall(keyId: string, since: string) {
  const latest = useQuery(apiQuery('/v1/calls', { params: { query: { keyId, from: since, limit: 1 } } }))
  useLiveEvents(({ type, data }) => {
    if (type === 'call' && data.keyId === keyId) void latest.refetch()
  })
  return latest.data?.data[0] ?? null
}
