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

/** Gives the session's cookie to the browser, or takes it away. */
export interface SessionCookies {
  /** `right`: the route stands right below `/v1`; `below`: further down. */
  set(reply: FastifyReply, value: string, maxAgeSeconds: number, stands?: 'right' | 'below'): void
  clear(reply: FastifyReply): void
}

/**
 * The cookie belongs to `/v1` alone, behind whatever prefix: no other program on the same host gets it. Where nobody said what the prefix
 * is, the attribute is left out, and browsers take the path of the address that they asked, up to its last slash: `/v1` for what stands
 * right below it.
 */
export function createSessionCookies(place: PublicPlace | null): SessionCookies {
  function send(reply: FastifyReply, value: string, maxAgeSeconds: number, stands = 'right'): void {
    const path = place === null && stands === 'right' ? null : '/v1'
    sendCookie(reply, place, { name: cookieName, value, maxAgeSeconds, sameSite: 'strict', path })
  }
  return {
    set: send,
    clear: (reply) => send(reply, '', 0),
  }
}

export interface SentCookie {
  name: string
  value: string
  maxAgeSeconds: number
  sameSite: 'strict' | 'lax'
  /** From the root of the service; null leaves it to the browser. */
  path: string | null
}

/** No script reads it, and over HTTPS it is never sent without. */
export function sendCookie(reply: FastifyReply, place: PublicPlace | null, cookie: SentCookie): void {
  const { name, value, maxAgeSeconds: maxAge, sameSite, path } = cookie
  const secure = place === null ? cameByHttps(reply.request) : place.origin.startsWith('https:')
  const below = path === null ? {} : { path: `${place?.prefix ?? ''}${path}` }
  const options = { httpOnly: true, sameSite, secure, maxAge, ...below }
  reply.header('set-cookie', reply.server.serializeCookie(name, value, options))
}
