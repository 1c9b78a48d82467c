import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { baseUrl, Problem } from './api'

export interface Session {
  tenant: { id: string; name: string }
  role: 'member' | 'auditor' | 'manager'
  userId: string | null
  keyId: string | null
  via: 'key' | 'session' | 'oidc'
  expiresAt: string | null
}

/** Who is signed in, or null. */
export const sessionQuery = queryOptions({
  queryKey: ['/v1/session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const response = await fetch(`${baseUrl}/v1/session`, { signal, credentials: 'same-origin' })
    if (response.status === 401) return null
    const body = await response.json()
    if (!response.ok) throw new Problem(response.status, body, response.headers)
    return body
  },
})

/** Who is signed in. Only below the frame, which lets nobody else in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  if (data === null)
    throw new Problem(401, { error: { message: 'You are not signed in', type: 'unauthorized' } })
  return data
}

/** Managers change things; auditors read everything; members have what is theirs. */
export const useIsManager = () => useSession().role === 'manager'
