import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { unauthorized } from '../../errors.js'

/** From the least to the most. A member sees what is its own, an auditor reads everything, a manager changes it too. */
const roles = ['member', 'auditor', 'manager'] as const
export type Role = (typeof roles)[number]

/** In the interface: of a key, and of a user. */
export const RoleName = Type.Enum([...roles], {
  description:
    'A manager reads and changes everything of the tenant, an auditor reads everything and changes nothing, a member sees what is its own',
})

/** A key with an owner is never more than its owner. */
export const lowerRole = (a: Role, b: Role): Role => (roles.indexOf(a) < roles.indexOf(b) ? a : b)

/** Who calls. What a principal may use (limits, models, money) is looked up from this where it is needed. */
export interface Principal {
  tenantId: string
  /** What it may do now: the key of a manager who was demoted has the role that is left to the user. */
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

/** What a key did while it had an owner is the owner's, also after the key was taken from that user. */
export const isOwnedBy = (
  owner: Owner,
  { userId, keyId }: { userId: string | null; keyId: string | null },
) => ('userId' in owner ? userId === owner.userId : userId === null && keyId === owner.keyId)

/** Whose things are a principal's own, whatever its role. */
export function ownerOf({ userId, keyId }: Pick<Principal, 'userId' | 'keyId'>): Owner {
  if (userId !== null) return { userId }
  if (keyId !== null) return { keyId }
  throw new Error('a principal has a user or a key')
}

/** Null for a principal that sees everything of its tenant. */
export const ownerFilter = (principal: Principal): Owner | null =>
  principal.role === 'member' ? ownerOf(principal) : null

/** Whom work under way is counted for: the key, or the user of a session that was opened without one. */
export const holderOf = ({
  tenantId,
  keyId,
  userId,
}: Pick<Principal, 'tenantId' | 'keyId' | 'userId'>): string => keyId ?? `user ${tenantId} ${userId}`
