import type { FastifyRequest } from 'fastify'
import type { Resolver } from './authenticate.js'
import type { Principal } from './principal.js'

/** Finds the principal of a key's value. Null when the value is unknown, revoked or expired. */
export type FindByKey = (keyValue: string) => Promise<Principal | null>

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
export const headerResolver =
  (name: string, findByKey: FindByKey): Resolver =>
  ({ headers }) => {
    const value = headers[name]
    return typeof value === 'string' ? findByKey(value.trim()) : undefined
  }
