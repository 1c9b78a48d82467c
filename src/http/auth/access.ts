import type { onRequestAsyncHookHandler } from 'fastify'
import { ApiError, forbidden } from '../../errors.js'
import { authenticate, type Resolver } from './authenticate.js'

/** Who may use a route. Declared once, on the route; enforced and documented from there. */
export type Access = 'public' | 'member' | 'manager'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
}

/** Management routes: a valid proof, an active user, and the permission that the route declares. */
export function requireAccess(resolvers: readonly Resolver[]): onRequestAsyncHookHandler {
  return async (request) => {
    const { access } = request.routeOptions.config
    if (access === 'public') return
    const principal = await authenticate(request, resolvers)
    if (principal.suspended) throw userSuspended()
    if (access === 'manager' && principal.role !== 'manager') throw forbidden()
    request.principal = principal
  }
}

export const userSuspended = () => new ApiError('user_suspended', "The key's owner is suspended")
