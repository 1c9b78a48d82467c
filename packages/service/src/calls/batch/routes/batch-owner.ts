import { Type } from 'typebox'
import { type Principal, strict, userSuspended } from '../../../http/index.js'
import type { Owner } from '../../../resources/batches/index.js'
import { type Entitlements, scopeIdsOf } from '../../../resources/keys/index.js'
import { unauthorized } from '../../../shared/errors.js'

/** The key on whose behalf files and batches are read and created. */
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
    after: Type.Optional(Type.String({ description: 'Return only objects older than this id' })),
  },
  strict,
)

/** Presents a page. `found` holds one item more than `limit` when there are more. */
export const presentList = <T>(found: readonly T[], limit: number) => ({
  object: 'list' as const,
  data: found.slice(0, limit),
  has_more: found.length > limit,
})
