import type { FastifyReply, FastifyRequest } from 'fastify'
import { cameByHttps, type PublicPlace } from './same-origin.js'

const cookieName = 'tallystick_session'

/** Null when the request has none. Of several, the first: browsers send the one with the longest path first. */
export function sessionCookieOf({ headers, server }: FastifyRequest): string | null {
  const { cookie } = headers
  // The gateway's callers never get here, and nobody else sends many.
  if (cookie === undefined || !cookie.includes(cookieName)) return null
  return server.parseCookie(cookie)[cookieName] || null
}

/** Gives a cookie to the browser, or takes it away. */
export interface SessionCookies {
  set(reply: FastifyReply, value: string, maxAgeSeconds: number): void
  clear(reply: FastifyReply): void
}

/**
 * The cookie belongs to `/v1` alone, behind whatever prefix: no other program on the same host gets it. Where nobody said what the prefix
 * is, the attribute is left out, and browsers take the path of the address that they asked, up to its last slash. So what sets
 * or clears it without a public URL must stand right below `/v1`.
 */
export function createSessionCookies(place: PublicPlace | null): SessionCookies {
  function send(reply: FastifyReply, value: string, maxAge: number): void {
    const secure = place === null ? cameByHttps(reply.request) : place.origin.startsWith('https:')
    const path = place === null ? {} : { path: `${place.prefix}/v1` }
    const options = { httpOnly: true, sameSite: 'strict' as const, secure, maxAge, ...path }
    reply.header('set-cookie', reply.server.serializeCookie(cookieName, value, options))
  }
  return {
    set: send,
    clear: (reply) => send(reply, '', 0),
  }
}
