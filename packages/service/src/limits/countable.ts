import type { ActualUse, AdmissionRequest, Claim } from './contract.js'

/** A NaN that slipped into a running total would stay in it for good. */
export function requireCountable({ claims, spend }: AdmissionRequest): void {
  for (const [place, { id, amount, limit }] of claims.entries()) {
    requireWhole(id, amount)
    requireWhole(id, limit)
    // Each of the two would be measured without the other.
    if (claims.findIndex((claim) => claim.id === id) < place)
      throw new Error(`${id} is claimed twice in one call`)
  }
  if (spend === null) return
  requireWhole('maxNanos', spend.maxNanos)
  requireWhole('minNanos', spend.minNanos)
  for (const { limitNanos, account } of spend.claims) {
    requireWhole('limitNanos', limitNanos)
    if (!spend.scopes.some(([type, id]) => type === account.scopeType && id === account.scopeId))
      throw new Error(`${account.scopeType} ${account.scopeId} limits the call and is none of its scopes`)
  }
}

export function requireCounted({ requests = 0, tokens = 0 }: ActualUse): void {
  requireWhole('requests', requests)
  requireWhole('tokens', tokens)
}

/** A store that was loaded at an earlier version of the limits has not counted all calls that these claims are limited by. */
export const versionNeeded = (claims: readonly Claim[]): number =>
  claims.reduce((version, { since = 0 }) => Math.max(version, since), 0)

function requireWhole(what: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`${what}: expected a whole number of at least 0, not ${count}`)
  }
}
