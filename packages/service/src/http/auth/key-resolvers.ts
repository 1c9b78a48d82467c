import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { hasVirtualKey } from '../../shared/tags.js'
import type { Resolver } from './authenticate.js'
import type { Principal } from './principal.js'

/** Finds the principal of a key by the key's value. Null when the value is unknown, revoked or expired. */
export type FindByKey = (keyValue: string) => Promise<Principal | null>

const ownKeyHeader = 'x-tallystick-key'
const vendorKeyHeader = 'x-api-key'

/**
 * How gateway callers authenticate. `X-Tallystick-Key`, if present, decides alone: other credentials in the request
 * are then the caller's own, for the provider. Otherwise, the two headers are tried in which vendors' clients send
 * a key.
 */
export const gatewayResolvers = (findByKey: FindByKey): Resolver[] => [
  headerResolver(ownKeyHeader, findByKey),
  bearerResolver(findByKey),
  headerResolver(vendorKeyHeader, findByKey),
]

/** Returns the key that a gateway caller authenticates with. */
export const gatewayCredentialOf = (headers: IncomingHttpHeaders): string | null =>
  textOf(headers[ownKeyHeader]) ?? bearerOf({ headers }) ?? textOf(headers[vendorKeyHeader])

const textOf = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : String(value).trim()

/**
 * Returns the caller's own `Authorization`. Null when it holds the caller's virtual key, which must not be
 * forwarded.
 */
export function callerAuthorizationOf(headers: IncomingHttpHeaders): string | null {
  const { authorization = '' } = headers
  const isOwn = headers[ownKeyHeader] !== undefined && authorization !== '' && !hasVirtualKey(authorization)
  return isOwn ? authorization : null
}

/** `Authorization: Bearer <key>` */
export const bearerResolver =
  (findByKey: FindByKey): Resolver =>
  (request) => {
    const value = bearerOf(request)
    return value === null ? undefined : findByKey(value)
  }

export function bearerOf({ headers: { authorization } }: Pick<FastifyRequest, 'headers'>): string | null {
  return authorization === undefined ? null : (/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null)
}

/** Reads a key from a header that contains only the key, as some clients send it: `x-api-key: <key>` */
const headerResolver =
  (name: string, findByKey: FindByKey): Resolver =>
  ({ headers }) => {
    const value = textOf(headers[name])
    return value === null ? undefined : findByKey(value)
  }
