import type { AdmissionStore, Standing } from '../admission/index.js'
import { claimsOfKey, type LimitedKey } from './rate-windows.js'

/** How the rate limits of a key stand; null for what is not limited. */
export interface RateStanding {
  requests: Standing | null
  tokens: Standing | null
}

export type ReadRateStanding = (tenantId: string, key: LimitedKey) => Promise<RateStanding>

/** Reads the same windows that calls are admitted by, and takes nothing of them. */
export const createRateStanding =
  (admission: Pick<AdmissionStore, 'standings'>): ReadRateStanding =>
  async (tenantId, key) => {
    const claims = claimsOfKey(key, { requests: 0, tokens: 0 })
    const standings = claims.length === 0 ? [] : await admission.standings(tenantId, claims)
    const ofUnit = (unit: Standing['unit']) => standings.find((each) => each.unit === unit) ?? null
    return { requests: ofUnit('requests'), tokens: ofUnit('tokens') }
  }
