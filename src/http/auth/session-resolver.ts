import { ApiError } from '../../errors.js'
import type { Resolver } from './authenticate.js'
import type { Principal } from './principal.js'
import { type PublicPlace, requireSameOrigin } from './same-origin.js'
import { sessionCookieOf } from './session-cookie.js'

/** Finds the principal of a session by the value of its cookie. Null when it is unknown or has ended. */
export type FindBySession = (cookieValue: string) => Promise<Principal | null>

/**
 * The cookie of a person who signed in. For management routes alone, and after the key: browsers add cookies by themselves. For the same
 * reason, whatever is not a plain read must come from a page of ours.
 */
export const sessionResolver =
  (findBySession: FindBySession, place: PublicPlace | null): Resolver =>
  (request) => {
    const value = sessionCookieOf(request)
    if (value === null) return undefined
    if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request, place)
    return findBySession(value).then((principal) => {
      if (principal === null) throw sessionEnded()
      return principal
    })
  }

const sessionEnded = () => new ApiError('unauthorized', 'The session has ended: sign in again')
