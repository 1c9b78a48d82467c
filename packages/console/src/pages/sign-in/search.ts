/** The search parameters of the sign-in page. */
export interface SignInSearch {
  /** The path in the console to open after signing in. */
  next?: string
  /** The error code of a failed OpenID Connect sign-in. */
  problem?: string
  /** The number of seconds to wait before another attempt. */
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
