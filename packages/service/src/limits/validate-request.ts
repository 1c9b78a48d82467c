import type { ActualUse, AdmissionRequest, WindowClaim } from './contract.js'

/** Throws when an amount is not a whole number of at least 0. A NaN that was added to a total would never leave it. */
export function validateRequest({ claims, spend }: AdmissionRequest): void {
  for (const [index, { id, amount, limit }] of claims.entries()) {
    requireCount(id, amount)
    requireCount(id, limit)
    // Two claims on one limit would each be checked without the other.
    if (claims.findIndex((claim) => claim.id === id) < index)
      throw new Error(`${id} is claimed twice in one call`)
  }
  if (spend === null) return
  requireCount('maxNanos', spend.maxNanos)
  requireCount('minNanos', spend.minNanos)
  for (const { limitNanos, account } of spend.accountLimits) {
    requireCount('limitNanos', limitNanos)
    if (!spend.scopes.some(([type, id]) => type === account.scopeType && id === account.scopeId))
      throw new Error(
        `The call claims from ${account.scopeType} ${account.scopeId}, which is none of its scopes`,
      )
  }
}

export function validateActualUse({ requests = 0, tokens = 0 }: ActualUse): void {
  requireCount('requests', requests)
  requireCount('tokens', tokens)
}

/** Returns the limits version at which a tenant must have been loaded, so that all calls that these claims count are included. */
export const requiredLimitsVersion = (claims: readonly WindowClaim[]): number =>
  claims.reduce((version, { sinceLimitsVersion = 0 }) => Math.max(version, sinceLimitsVersion), 0)

function requireCount(name: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`${name}: expected a whole number of at least 0, not ${count}`)
  }
}
