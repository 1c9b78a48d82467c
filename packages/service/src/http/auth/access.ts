import type { onRequestAsyncHookHandler } from 'fastify'
import { ApiError, forbidden } from '../../shared/errors.js'
import { type AuthMethod, authenticate } from './authenticate.js'
import type { Role } from './principal.js'

/**
 * Who may use a route. Declared once on the route; enforced and documented from there.
 *
 * `member`: every key; a member gets only its own data. `reader`: managers and auditors. An auditor may also use
 * any other route that only reads. This follows from the method, so that no new route can forget it.
 */
export type Access = 'public' | 'member' | 'reader' | 'manager'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** True for a POST that only reads, such as a dry run. */
    onlyReads?: true
    /** True when the route changes only the caller's own sessions: auditors may sign out too. */
    ownSession?: true
  }
}

/** Requires a valid credential, an active user, and the permission that the route declares. */
export function requireAccess(methods: readonly AuthMethod[]): onRequestAsyncHookHandler {
  return async (request) => {
    const { access } = request.routeOptions.config
    if (access === 'public') return
    const principal = await authenticate(request, methods)
    if (principal.suspended) throw userSuspended()
    if (!mayUseRoute(principal.role, request.routeOptions)) throw forbidden()
    request.principal = principal
  }
}

interface Route {
  method?: string | string[]
  config: { access?: Access; onlyReads?: true; ownSession?: true }
}

/** True for routes that auditors may use as well. */
export const changesNothing = ({ method, config }: Route): boolean =>
  config.onlyReads === true ||
  config.ownSession === true ||
  [method].flat().every((each) => each === 'GET' || each === 'HEAD')

/** The access check of every request. */
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
