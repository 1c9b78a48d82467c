import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { unauthorized } from '../../shared/errors.js'

/**
 * From the fewest rights to the most. A member sees its own data, an auditor reads everything, and a manager also
 * changes everything.
 */
const roles = ['member', 'auditor', 'manager'] as const
export type Role = (typeof roles)[number]

/** The role of a key or a user, in the API. */
export const RoleName = Type.Enum([...roles], {
  description:
    'A `manager` can read and change everything in the tenant. An `auditor` can read everything and change nothing. A `member` can see only its own data',
})

/** A key never has more rights than its owner. */
export const lowerRole = (a: Role, b: Role): Role => (roles.indexOf(a) < roles.indexOf(b) ? a : b)

/** The authenticated caller. Limits, models and budgets are looked up from it where they are needed. */
export interface Principal {
  tenantId: string
  /** The role in effect: the key of a manager who was demoted has the user's new role. */
  role: Role
  userId: string | null
  /** The key that authenticated the request or opened its session. */
  keyId: string | null
  sessionId: string | null
  /** True when its user is suspended. Every request of this principal is refused with that reason. */
  suspended: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null
  }
}

/** Returns the principal of a route that requires one. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw unauthorized()
  return request.principal
}

/** Whose data a member sees: its user's, or its key's when the key has no owner. */
export type Owner = { userId: string } | { keyId: string }

/** What a key did while it had an owner belongs to that owner, even after the key was taken from that user. */
export const isOwnedBy = (
  owner: Owner,
  { userId, keyId }: { userId: string | null; keyId: string | null },
) => ('userId' in owner ? userId === owner.userId : userId === null && keyId === owner.keyId)

/** Returns the owner that a principal's own data belongs to, whatever its role. */
export function ownerOf({ userId, keyId }: Pick<Principal, 'userId' | 'keyId'>): Owner {
  if (userId !== null) return { userId }
  if (keyId !== null) return { keyId }
  throw new Error('a principal has a user or a key')
}

/** Returns null for a principal that sees everything of its tenant. */
export const ownerFilter = (principal: Principal): Owner | null =>
  principal.role === 'member' ? ownerOf(principal) : null

/**
 * Returns the id under which open requests are counted: the key, or the user of a session that was opened without a
 * key.
 */
export const callerIdOf = ({
  tenantId,
  keyId,
  userId,
}: Pick<Principal, 'tenantId' | 'keyId' | 'userId'>): string => keyId ?? `user ${tenantId} ${userId}`
