import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { ApiError, forbidden, unauthorized } from '../../errors.js'

/** Who is calling, as far as any part of the service needs to know. */
export interface Caller {
  tenantId: string
  keyId: string
  keyName: string
  keyMetadata: Readonly<Record<string, string>>
  /** What the key may do now: a manager's key whose owner was demoted is a member's. */
  role: 'member' | 'manager'
  userId: string | null
  userName: string | null
  userEmail: string | null
  userRole: 'member' | 'manager' | null
  userStatus: 'active' | 'suspended' | null
  /** What the user may use and spend over all keys; null = no limit. */
  userAllowedModels: string[] | null
  userCapMicros: number | null
  /** The key's team, else its owner's. */
  teamId: string | null
  teamName: string | null
  teamPoolMicros: number | null
  rpmLimit: number | null
  tpmLimit: number | null
  allowedModels: string[] | null
}

/** Resolves a key's value; null for a value that is unknown, revoked or expired. */
export type Authenticate = (keyValue: string) => Promise<Caller | null>

/** Who may use a route: said once, on the route, and enforced and documented from there. */
export type Access = 'public' | 'member' | 'manager'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    caller: Caller | null
  }
}

export function bearerToken(authorization: string | undefined): string | null {
  return authorization === undefined ? null : (/^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null)
}

/** Management routes: a valid key, an active owner, and the permission that the route declares. */
export function requireAccess(authenticate: Authenticate): onRequestAsyncHookHandler {
  return async (request) => {
    const access = request.routeOptions.config.access
    if (access === 'public') return
    const token = bearerToken(request.headers.authorization)
    const caller = token === null ? null : await authenticate(token)
    if (caller === null) throw unauthorized()
    if (caller.userStatus === 'suspended') throw userSuspended()
    if (access === 'manager' && caller.role !== 'manager') throw forbidden()
    request.caller = caller
  }
}

export const userSuspended = () => new ApiError('user_suspended', "The key's owner is suspended")

/** The caller of a route that the hook above has let through. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw unauthorized()
  return request.caller
}
