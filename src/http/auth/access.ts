import type { onRequestAsyncHookHandler } from 'fastify'
import { ApiError, forbidden } from '../../errors.js'
import { authenticate, type Resolver } from './authenticate.js'
import type { Role } from './principal.js'

/**
 * Who may use a route. Declared once, on the route; enforced and documented from there.
 *
 * `member`: every key; what it answers to a member is the member's own. `reader`: managers and auditors. An auditor may use
 * a route that others may, as long as it only reads: that follows from its method, so that no new route can forget it.
 */
export type Access = 'public' | 'member' | 'reader' | 'manager'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** A POST that only reads, such as a dry run. */
    onlyReads?: true
    /** It changes nothing but sessions of the caller: signing out is for auditors too. */
    ownSession?: true
  }
}

/** Management routes: a valid proof, an active user, and the permission that the route declares. */
export function requireAccess(resolvers: readonly Resolver[]): onRequestAsyncHookHandler {
  return async (request) => {
    const { access } = request.routeOptions.config
    if (access === 'public') return
    const principal = await authenticate(request, resolvers)
    if (principal.suspended) throw userSuspended()
    if (!mayUseRoute(principal.role, request.routeOptions)) throw forbidden()
    request.principal = principal
  }
}

interface Route {
  method?: string | string[]
  config: { access?: Access; onlyReads?: true; ownSession?: true }
}

/** What an auditor may use as well. */
export const changesNothing = ({ method, config }: Route): boolean =>
  config.onlyReads === true ||
  config.ownSession === true ||
  [method].flat().every((each) => each === 'GET' || each === 'HEAD')

/** What every request is judged by. */
export function mayUseRoute(role: Role, route: Route): boolean {
  const { access } = route.config
  switch (role) {
    case 'manager':
      return true
    case 'auditor':
      return access !== 'manager' && changesNothing(route)
    case 'member':
      return access === 'member'
  }
}

export const userSuspended = () => new ApiError('user_suspended', "The key's owner is suspended")
