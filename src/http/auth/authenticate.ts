import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../../errors.js'
import type { Principal } from './principal.js'

/**
 * One way of proving who calls. Undefined when the request does not use it, so that the next one is tried; null when
 * it does and the proof is not valid.
 */
export type Resolver = (request: FastifyRequest) => Promise<Principal | null> | undefined

/** The first resolver that finds its proof in the request decides. */
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
