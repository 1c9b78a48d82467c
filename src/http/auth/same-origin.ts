import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.js'

/** Where browsers find the service; null when nobody said so, and the request has to tell. */
export interface PublicPlace {
  origin: string
  prefix: string
}

type OriginalRequest = Pick<FastifyRequest, 'headers' | 'host'>

/**
 * Whether a browser says that one of our own pages sent this. `Origin` decides, because a page cannot choose it; one that is absent or
 * `null` proves nothing. `Sec-Fetch-Site` is a second look: a page on another port of this host is the same site, but not us.
 */
export function isSameOrigin(request: OriginalRequest, place: PublicPlace | null): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined || !URL.canParse(origin)) return false
  if (place !== null) return origin === place.origin
  const url = new URL(origin)
  // The same host by http, where we are reached by https, may be anybody on the way.
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || cameByHttps(request))) return false
  const own = `${url.protocol}//${request.host}`
  return url.origin === origin && URL.canParse(own) && new URL(own).origin === origin
}

export function requireSameOrigin(request: OriginalRequest, place: PublicPlace | null): void {
  if (isSameOrigin(request, place)) return
  const where = place === null ? 'the address that the service is asked at' : place.origin
  throw new ApiError(
    'forbidden',
    `A change with a session must come from a page of this service: the Origin has to be ${where}. A program sends a key instead`,
  )
}

/** For routes that programs use. A program sends no `Origin`; a page that is not ours is refused, whatever it carries. */
export function refuseForeignOrigin(request: OriginalRequest, place: PublicPlace | null): void {
  if (request.headers.origin === undefined || isSameOrigin(request, place)) return
  throw new ApiError(
    'forbidden',
    'Pages of other sites may not ask here: the Origin is not that of this service',
  )
}

/** What a proxy says of it is a hint that anybody can give: it only ever makes the rules stricter, for the caller alone. */
export const cameByHttps = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /^\s*https\s*(,|$)/i.test(String(headers['x-forwarded-proto'] ?? ''))
