import type { Db } from '../../db/index.js'
import type { Actor } from '../../resources/audit/index.js'
import { findKey } from '../../resources/keys/index.js'
import { findTenantName } from '../../resources/tenants/index.js'

/** Returns the name of the user who would use the account, so that another person notices the mistake. */
export async function callerNameOf(db: Db, { tenantId, userId, keyId }: Actor): Promise<string> {
  const tenant = (await findTenantName(db, tenantId)) ?? tenantId
  if (userId !== null) return `the user ${userId} of ${tenant}`
  const key = keyId === null ? undefined : await findKey(db, tenantId, keyId)
  return `the key ${key?.name ?? keyId} of ${tenant}`
}
