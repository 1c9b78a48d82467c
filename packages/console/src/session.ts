import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError, api, expectSuccess, type ResponseOf } from './api'

export type Session = ResponseOf<'/v1/session'>

/** The current session, or null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['/v1/session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const reply = await api.GET('/v1/session', { signal })
    return reply.response.status === 401 ? null : expectSuccess(reply)
  },
})

/** The current session. Use it only below the layout, which requires one. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null)
    throw new ApiError(401, { error: { message: 'You are not signed in', type: 'unauthorized' } })
  return data
}

/** Managers may change everything, auditors may read everything, members see their own data. */
export const useIsManager = () => useSession().role === 'manager'
