import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../../shared/errors.js'
import type { Principal } from './principal.js'

/**
 * One way to authenticate. Returns undefined when the request does not use it, so that the next one is tried, and
 * null when the credential is not valid.
 */
export type Resolver = (request: FastifyRequest) => Promise<Principal | null> | undefined

/** The first resolver that finds its credential in the request decides. */
export async function authenticate(
  request: FastifyRequest,
  resolvers: readonly Resolver[],
): Promise<Principal> {
  for (const resolve of resolvers) {
    const resolving = resolve(request)
    if (resolving === undefined) continue
    const principal = await resolving
    if (principal === null) break
    return principal
  }
  throw unauthorized()
}
