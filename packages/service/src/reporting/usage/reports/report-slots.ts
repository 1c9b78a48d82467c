import { holderOf, type Principal } from '../../../http/index.js'
import { ApiError } from '../../../shared/errors.js'
import { createTurnstile } from '../../../shared/turns.js'

/** Runs a report when a slot is free; throws when its caller already has too many waiting. */
export type InTurn = <T>(
  principal: Pick<Principal, 'tenantId' | 'keyId' | 'userId'>,
  read: () => Promise<T>,
) => Promise<T>

// A report may take the database a few seconds. The other connections of its pool are for everything else,
// including the calls of new keys.
const readAtOnce = 4
const ofTenantAtOnce = 2
const maxOfKey = 32

/** Limits how many reports run at a time, and shares the slots among tenants. */
export function createReportSlots(): InTurn {
  const inTurn = createTurnstile(readAtOnce)
  // Bounded: waiting and running reports, 32 for each key.
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
