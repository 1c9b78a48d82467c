import type { SpendRequest, WindowClaim } from '../../../limits/index.js'
import type { SpendLimit } from '../../../resources/budgets/index.js'

/** What an attempt claims from limits before it is forwarded. */
export interface LimitClaims {
  /** The claims on rate limits. */
  claims: readonly WindowClaim[]
  /** What to reserve in budgets. Null when the attempt costs nothing. */
  spend: SpendRequest | null
  /** The limits in `spend`, each with the budget, team pool or user cap that it comes from. */
  limits: readonly SpendLimit[]
  /** Version of the limit set that was read. */
  limitsVersion: number
  /** True when the amounts are far above what the attempt will use, because that was not counted. They need ample room. */
  isCoarse?: boolean
}
