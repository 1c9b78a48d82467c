import type { Db } from '../../db/index.js'
import type { Actor } from '../../modules/audit/index.js'
import { findKey } from '../../modules/keys/index.js'
import { findTenantName } from '../../modules/tenants/index.js'

/** Whom a person is about to lend an account to, so that they can tell that it is not them. */
export async function callerNameOf(db: Db, { tenantId, userId, keyId }: Actor): Promise<string> {
  const tenant = (await findTenantName(db, tenantId)) ?? tenantId
  if (userId !== null) return `the user ${userId} of ${tenant}`
  const key = keyId === null ? undefined : await findKey(db, tenantId, keyId)
  return `the key ${key?.name ?? keyId} of ${tenant}`
}
