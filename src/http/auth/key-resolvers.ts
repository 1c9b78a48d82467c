import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { hasVirtualKey } from '../../tags.js'
import type { Resolver } from './authenticate.js'
import type { Principal } from './principal.js'

/** Finds the principal of a key's value. Null when the value is unknown, revoked or expired. */
export type FindByKey = (keyValue: string) => Promise<Principal | null>

const ownKeyHeader = 'x-tallystick-key'
const vendorKeyHeader = 'x-api-key'

/**
 * How a caller of models proves who it is. `X-Tallystick-Key` decides alone where it is there: what else the request carries is then
 * the caller's own, for the provider. Then the two places where vendors' clients put a key.
 */
export const gatewayResolvers = (findByKey: FindByKey): Resolver[] => [
  headerResolver(ownKeyHeader, findByKey),
  bearerResolver(findByKey),
  headerResolver(vendorKeyHeader, findByKey),
]

/** The key that a caller of models proves itself with. */
export const gatewayCredentialOf = (headers: IncomingHttpHeaders): string | null =>
  textOf(headers[ownKeyHeader]) ?? bearerOf({ headers }) ?? textOf(headers[vendorKeyHeader])

const textOf = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : String(value).trim()

/** The caller's own `Authorization`. Null where it is how a caller proves who it is to us: that must reach nobody. */
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

/** A header that holds nothing but the key, as some clients send it: `x-api-key: <key>` */
const headerResolver =
  (name: string, findByKey: FindByKey): Resolver =>
  ({ headers }) => {
    const value = textOf(headers[name])
    return value === null ? undefined : findByKey(value)
  }
