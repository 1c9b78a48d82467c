import { callerIdOf, type Principal } from '../../../http/index.js'
import { ApiError } from '../../../shared/errors.js'
import { createSemaphore } from '../../../shared/semaphore.js'
import type { SharedReads } from './shared-reads.js'

/**
 * Runs a report when a slot is free; throws when its caller already has too many waiting. With `shared`, requests with the same question
 * share a report.
 */
export type RunReport = <T>(
  principal: Pick<Principal, 'tenantId' | 'keyId' | 'userId'>,
  read: () => Promise<T>,
  shared?: { reads: SharedReads<T>; question: object },
) => Promise<T>

// A report may take the database a few seconds. The other connections of its pool are for everything else,
// including the calls of new keys.
const maxConcurrent = 4
const maxConcurrentPerTenant = 2
const maxOpenPerKey = 32

/** Limits how many reports run at a time, and shares the slots among tenants. */
export function createReportSlots(): RunReport {
  const limitReads = createSemaphore(maxConcurrent)
  // Bounded: waiting and running reports, 32 for each key.
  const tenants = new Map<string, { limitReads: typeof limitReads; open: Map<string, number> }>()
  return async (principal, read, shared) => {
    const { tenantId } = principal
    const callerId = callerIdOf(principal)
    const tenant = tenants.get(tenantId) ?? {
      limitReads: createSemaphore(maxConcurrentPerTenant),
      open: new Map(),
    }
    const openOfCaller = tenant.open.get(callerId) ?? 0
    if (openOfCaller >= maxOpenPerKey) throw tooMany()
    tenants.set(tenantId, tenant)
    tenant.open.set(callerId, openOfCaller + 1)
    try {
      const readInSlot = (begin?: () => void) =>
        tenant.limitReads(() =>
          limitReads(() => {
            begin?.()
            return read()
          }),
        )
      return await (shared ? shared.reads.join(JSON.stringify(shared.question), readInSlot) : readInSlot())
    } finally {
      const left = (tenant.open.get(callerId) ?? 0) - 1
      if (left > 0) tenant.open.set(callerId, left)
      else tenant.open.delete(callerId)
      if (tenant.open.size === 0) tenants.delete(tenantId)
    }
  }
}

const tooMany = () =>
  new ApiError(
    'rate_limit_exceeded',
    `This caller has ${maxOpenPerKey} open usage reports, which is the limit: wait for some of them`,
    { retry_after: 1 },
  )
