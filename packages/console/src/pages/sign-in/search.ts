/** What the address says of the sign-in page. */
export interface SignInSearch {
  /** Where to go after signing in: a place of this console. */
  next?: string
  /** Why a sign-in by OpenID Connect came to nothing, as the service names it. */
  problem?: string
  /** For how many seconds it is held back. */
  retryAfter?: number
}

export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  const { next, problem, retryAfter } = search
  return {
    ...(typeof next === 'string' && /^\/(?![/\\])/.test(next) && { next }),
    ...(typeof problem === 'string' && /^[a-z_]{1,40}$/.test(problem) && { problem }),
    ...(typeof retryAfter === 'number' && retryAfter > 0 && { retryAfter: Math.min(retryAfter, 3_600) }),
  }
}
