import type { IncomingHttpHeaders } from 'node:http'
import { hasVirtualKey } from '../../shared/tags.js'
import type { AuthMethod } from './authenticate.js'
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
export const gatewayAuthMethods = (findByKey: FindByKey): AuthMethod[] => [
  keyInHeader(ownKeyHeader, findByKey),
  bearerKey(findByKey),
  keyInHeader(vendorKeyHeader, findByKey),
]

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
export const bearerKey = (findByKey: FindByKey): AuthMethod => ({
  read: ({ headers: { authorization } }) =>
    authorization === undefined ? null : (/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null),
  verify: findByKey,
})

/** A header that contains only the key, as some clients send it: `x-api-key: <key>` */
const keyInHeader = (name: string, findByKey: FindByKey): AuthMethod => ({
  read({ headers }) {
    const value = headers[name]
    return value === undefined ? null : String(value).trim()
  },
  verify: findByKey,
})
