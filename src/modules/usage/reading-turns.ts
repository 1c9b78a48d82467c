import { ApiError } from '../../errors.js'
import type { Principal } from '../../http/index.js'
import { createTurnstile } from '../../turns.js'

/** Runs a report when it is its turn; throws when its key has too many under way already. */
export type InTurn = <T>(
  principal: Pick<Principal, 'tenantId' | 'keyId'>,
  read: () => Promise<T>,
) => Promise<T>

// A report may take the database some seconds. The others of its connections are for everything else, the calls of new keys among it.
const readAtOnce = 4
const ofTenantAtOnce = 2
const maxOfKey = 32

/** So many reports at a time, and no tenant all of them, however many it asks for. */
export function createReadingTurns(): InTurn {
  const inTurn = createTurnstile(readAtOnce)
  const tenants = new Map<string, { inTurn: typeof inTurn; open: Map<string | null, number> }>()
  return async ({ tenantId, keyId }, read) => {
    const tenant = tenants.get(tenantId) ?? { inTurn: createTurnstile(ofTenantAtOnce), open: new Map() }
    const openOfKey = tenant.open.get(keyId) ?? 0
    if (openOfKey >= maxOfKey) throw tooMany()
    tenants.set(tenantId, tenant)
    tenant.open.set(keyId, openOfKey + 1)
    try {
      return await tenant.inTurn(() => inTurn(read))
    } finally {
      const left = (tenant.open.get(keyId) ?? 0) - 1
      if (left > 0) tenant.open.set(keyId, left)
      else tenant.open.delete(keyId)
      if (tenant.open.size === 0) tenants.delete(tenantId)
    }
  }
}

const tooMany = () =>
  new ApiError(
    'rate_limit_exceeded',
    `This key has ${maxOfKey} usage reports under way, the most there may be: wait for some of them`,
    { retry_after: 1 },
  )
