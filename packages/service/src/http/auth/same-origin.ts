import { TLSSocket } from 'node:tls'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../shared/errors.js'

/**
 * The address at which browsers reach the service; null when it is not configured and is derived from the request.
 */
export interface PublicAddress {
  origin: string
  prefix: string
}

type OriginalRequest = Pick<FastifyRequest, 'headers' | 'host'> & WithSocket

/** The connection, if it is known. */
interface WithSocket {
  raw?: { socket?: unknown }
}

/**
 * Returns whether a browser reports that one of our own pages sent this. `Origin` decides, because a page cannot
 * choose it; a missing or `null` origin proves nothing. `Sec-Fetch-Site` is a second check: a page on another port
 * of this host is the same site, but not the same origin.
 */
export function isSameOrigin(request: OriginalRequest, publicAddress: PublicAddress | null): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  if (origin === undefined || !URL.canParse(origin)) return false
  if (publicAddress !== null) return origin === publicAddress.origin
  const url = new URL(origin)
  // When the service is reached by https, the same host by http may be an attacker on the network.
  if (url.protocol !== 'https:' && (url.protocol !== 'http:' || cameByHttps(request))) return false
  const own = `${url.protocol}//${request.host}`
  return url.origin === origin && URL.canParse(own) && new URL(own).origin === origin
}

export function requireSameOrigin(request: OriginalRequest, publicAddress: PublicAddress | null): void {
  if (isSameOrigin(request, publicAddress)) return
  const where = publicAddress === null ? 'the address of the service' : publicAddress.origin
  throw new ApiError(
    'forbidden',
    `A change with a session must come from a page of this service: its Origin must be ${where}. Programs send a key instead`,
  )
}

/**
 * For routes that programs use. A program sends no `Origin`; a page of another origin is refused, whatever
 * credential it sends.
 */
export function refuseForeignOrigin(request: OriginalRequest, publicAddress: PublicAddress | null): void {
  if (request.headers.origin === undefined || isSameOrigin(request, publicAddress)) return
  throw new ApiError(
    'forbidden',
    'Pages of other sites may not call this endpoint: the Origin is not that of this service',
  )
}

/**
 * Anyone can send the proxy's header, but it can only make the rules stricter for its own sender.
 */
export const cameByHttps = ({ headers, raw }: Pick<FastifyRequest, 'headers'> & WithSocket): boolean =>
  raw?.socket instanceof TLSSocket || /^\s*https\s*(,|$)/i.test(String(headers['x-forwarded-proto'] ?? ''))
