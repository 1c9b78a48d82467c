import type { FastifyReply, FastifyRequest } from 'fastify'
import { cameByHttps, type PublicAddress } from './same-origin.js'

const cookieName = 'tallystick_session'

/**
 * Returns null when the request has no session cookie. Of several, the first is used: browsers send the one with the
 * longest path first.
 */
export function sessionCookieOf({ headers, server }: FastifyRequest): string | null {
  const { cookie } = headers
  // Gateway calls never get here, and other requests rarely have many cookies.
  if (cookie === undefined || !cookie.includes(cookieName)) return null
  return server.parseCookie(cookie)[cookieName] || null
}

/** Sets and clears the browser's session cookie. */
export interface SessionCookies {
  /** `route`: whether the route is directly below `/v1`, or further down. */
  set(reply: FastifyReply, value: string, maxAgeSeconds: number, route?: 'direct' | 'nested'): void
  clear(reply: FastifyReply): void
}

/**
 * The cookie is limited to `/v1`, after any prefix, so that no other program on the same host receives it. When the
 * prefix is not configured, the path attribute is left out, and browsers use the path of the requested address up
 * to its last slash: `/v1` for routes directly below it.
 */
export function createSessionCookies(publicAddress: PublicAddress | null): SessionCookies {
  function send(reply: FastifyReply, value: string, maxAgeSeconds: number, route = 'direct'): void {
    const path = publicAddress === null && route === 'direct' ? null : '/v1'
    sendCookie(reply, publicAddress, { name: cookieName, value, maxAgeSeconds, sameSite: 'strict', path })
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
  /** Relative to the root of the service; null leaves it to the browser. */
  path: string | null
}

/** Scripts cannot read the cookie, and a cookie that was set over HTTPS is sent only over HTTPS. */
export function sendCookie(
  reply: FastifyReply,
  publicAddress: PublicAddress | null,
  cookie: SentCookie,
): void {
  const { name, value, maxAgeSeconds: maxAge, sameSite, path } = cookie
  const secure =
    publicAddress === null ? cameByHttps(reply.request) : publicAddress.origin.startsWith('https:')
  const scope = path === null ? {} : { path: `${publicAddress?.prefix ?? ''}${path}` }
  const options = { httpOnly: true, sameSite, secure, maxAge, ...scope }
  reply.header('set-cookie', reply.server.serializeCookie(name, value, options))
}
