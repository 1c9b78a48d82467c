import type { SpendRequest, WindowClaim } from '../../../limits/index.js'
import type { SpendLimit } from '../../../resources/budgets/index.js'

/** What an attempt claims from limits before it is forwarded. */
export interface LimitClaims {
  /** The claims on rate limits. */
  claims: readonly WindowClaim[]
  /** The claim on budgets. Null when the attempt costs nothing. */
  spend: SpendRequest | null
  /** The limits that `spend` claims from. */
  limits: readonly SpendLimit[]
  /** Version of the limit set that was read. */
  limitsVersion: number
}
