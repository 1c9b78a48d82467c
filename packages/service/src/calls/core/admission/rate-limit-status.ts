import type { AdmissionStore, LimitStatus } from '../../../limits/index.js'
import { claimsOfKey, type LimitedKey } from './rate-windows.js'

/** How much of each rate limit of a key is left. Null for a unit without a limit. */
export interface RateLimitStatus {
  requests: LimitStatus | null
  tokens: LimitStatus | null
}

export type ReadRateLimitStatus = (tenantId: string, key: LimitedKey) => Promise<RateLimitStatus>

/** Reads the windows that admit calls, without claiming from them. */
export const createRateLimitReader =
  (admission: Pick<AdmissionStore, 'readLimitStatuses'>): ReadRateLimitStatus =>
  async (tenantId, key) => {
    const claims = claimsOfKey(key, { requests: 0, tokens: 0 })
    const limitStatuses = claims.length === 0 ? [] : await admission.readLimitStatuses(tenantId, claims)
    const ofUnit = (unit: LimitStatus['unit']) => limitStatuses.find((each) => each.unit === unit) ?? null
    return { requests: ofUnit('requests'), tokens: ofUnit('tokens') }
  }
