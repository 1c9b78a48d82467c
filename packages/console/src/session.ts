import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError, api, expectSuccess, type ResponseOf } from './api'

export type Session = ResponseOf<'/v1/session'>

/** Who is signed in, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['/v1/session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const reply = await api.GET('/v1/session', { signal })
    return reply.response.status === 401 ? null : expectSuccess(reply)
  },
})

/** Who is signed in. Only below the frame, which lets nobody else in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null)
    throw new ApiError(401, { error: { message: 'You are not signed in', type: 'unauthorized' } })
  return data
}

/** Managers change things; auditors read everything; members have what is theirs. */
export const useIsManager = () => useSession().role === 'manager'
