import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../../errors.js'

export type Role = 'member' | 'manager'

/** Who calls. What a principal may use (limits, models, money) is looked up from this where it is needed. */
export interface Principal {
  tenantId: string
  /** What it may do now: the key of a manager who was demoted has the role of a member. */
  role: Role
  userId: string | null
  /** The key that proved it, or that its session was opened with. */
  keyId: string | null
  sessionId: string | null
  /** Its user is suspended. Every request of such a principal is refused with that reason. */
  suspended: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
}

/** The principal of a route that requires one. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw unauthorized()
  return request.principal
}

/** Whose things a member sees: its user's, or its key's where that has no owner. */
export type Owner = { userId: string } | { keyId: string }

/** Null for a principal that sees everything of its tenant. */
export function ownerFilter({ role, userId, keyId }: Principal): Owner | null {
  if (role === 'manager') return null
  if (userId !== null) return { userId }
  if (keyId !== null) return { keyId }
  throw new Error('a principal has a user or a key')
}
