import { ApiError } from '../../shared/errors.js'
import type { AuthMethod } from './authenticate.js'
import type { Principal } from './principal.js'
import { type PublicAddress, requireSameOrigin } from './same-origin.js'
import { sessionCookieOf } from './session-cookie.js'

/** Finds the principal of a session by the value of its cookie. Null when the session is unknown or has ended. */
export type FindBySession = (cookieValue: string) => Promise<Principal | null>

/**
 * Authenticates a signed-in person by the session cookie. Only for management routes, and only after the key was
 * tried: browsers add cookies by themselves. For the same reason, anything but a plain read must come from one of
 * our own pages.
 */
export const sessionCookie = (
  findBySession: FindBySession,
  publicAddress: PublicAddress | null,
): AuthMethod => ({
  read: sessionCookieOf,
  async verify(value, request) {
    if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request, publicAddress)
    const principal = await findBySession(value)
    if (principal === null) throw sessionEnded()
    return principal
  },
})

const sessionEnded = () => new ApiError('unauthorized', 'The session has ended: sign in again')
