import { Type } from 'typebox'
import { unauthorized } from '../../errors.js'
import { type Principal, strict, userSuspended } from '../../http/index.js'
import type { Owner } from '../../modules/batches/index.js'
import { type Entitlements, scopeIdsOf } from '../../modules/keys/index.js'

/** The key that asks, for its files and batches. */
export interface BatchCaller {
  owner: Owner
  entitlements: Entitlements
}

export async function callerOf(
  principal: Principal,
  entitlementsOf: (principal: Principal) => Promise<Entitlements | null>,
): Promise<BatchCaller> {
  if (principal.suspended) throw userSuspended()
  const entitlements = await entitlementsOf(principal)
  if (entitlements === null) throw unauthorized()
  const { tenantId, keyId, userId } = scopeIdsOf(entitlements)
  return { owner: { tenantId, keyId, userId }, entitlements }
}

export const Listing = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    after: Type.Optional(Type.String({ description: 'The ones older than this id' })),
  },
  strict,
)

/** One more than was asked for was read: it tells whether there are more. */
export const presentList = <T>(found: readonly T[], limit: number) => ({
  object: 'list' as const,
  data: found.slice(0, limit),
  has_more: found.length > limit,
})
