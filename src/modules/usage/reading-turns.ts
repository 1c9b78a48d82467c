import { ApiError } from '../../errors.js'
import { holderOf, type Principal } from '../../http/index.js'
import { createTurnstile } from '../../turns.js'

/** Runs a report when it is its turn; throws when its caller has too many under way already. */
export type InTurn = <T>(
  principal: Pick<Principal, 'tenantId' | 'keyId' | 'userId'>,
  read: () => Promise<T>,
) => Promise<T>

// A report may take the database some seconds. The others of its connections are for everything else, the calls of new keys among it.
const readAtOnce = 4
const ofTenantAtOnce = 2
const maxOfKey = 32

/** So many reports at a time, and no tenant all of them, however many it asks for. */
export function createReadingTurns(): InTurn {
  const inTurn = createTurnstile(readAtOnce)
  const tenants = new Map<string, { inTurn: typeof inTurn; open: Map<string, number> }>()
  return async (principal, read) => {
    const { tenantId } = principal
    const holder = holderOf(principal)
    const tenant = tenants.get(tenantId) ?? { inTurn: createTurnstile(ofTenantAtOnce), open: new Map() }
    const openOfHolder = tenant.open.get(holder) ?? 0
    if (openOfHolder >= maxOfKey) throw tooMany()
    tenants.set(tenantId, tenant)
    tenant.open.set(holder, openOfHolder + 1)
    try {
      return await tenant.inTurn(() => inTurn(read))
    } finally {
      const left = (tenant.open.get(holder) ?? 0) - 1
      if (left > 0) tenant.open.set(holder, left)
      else tenant.open.delete(holder)
      if (tenant.open.size === 0) tenants.delete(tenantId)
    }
  }
}

const tooMany = () =>
  new ApiError(
    'rate_limit_exceeded',
    `This caller has ${maxOfKey} usage reports under way, the most there may be: wait for some of them`,
    { retry_after: 1 },
  )
