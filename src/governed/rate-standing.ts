import type { AdmissionStore, Claim, Standing } from '../admission/index.js'
import { rateWindows } from './rate-windows.js'

/** How the rate limits of a key stand; null for what is not limited. */
export interface RateStanding {
  requests: Standing | null
  tokens: Standing | null
}

export type ReadRateStanding = (
  tenantId: string,
  key: { id: string; rpmLimit: number | null; tpmLimit: number | null },
) => Promise<RateStanding>

/** Reads the same windows that calls are admitted by, and takes nothing of them. */
export const createRateStanding =
  (admission: Pick<AdmissionStore, 'standings'>): ReadRateStanding =>
  async (tenantId, { id, rpmLimit, tpmLimit }) => {
    const { windowMs, requestsOf, tokensOf } = rateWindows
    const claims: Claim[] = []
    if (rpmLimit !== null)
      claims.push({ id: requestsOf(id), unit: 'requests', limit: rpmLimit, amount: 0, windowMs })
    if (tpmLimit !== null)
      claims.push({ id: tokensOf(id), unit: 'tokens', limit: tpmLimit, amount: 0, windowMs })
    const standings = claims.length === 0 ? [] : await admission.standings(tenantId, claims)
    const ofUnit = (unit: Standing['unit']) => standings.find((each) => each.unit === unit) ?? null
    return { requests: ofUnit('requests'), tokens: ofUnit('tokens') }
  }
