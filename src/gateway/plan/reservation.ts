import type { Claim, SpendRequest } from '../../admission/index.js'
import { editMembers } from '../../json/index.js'
import type { SpendLimit, SpendLimits } from '../../modules/budgets/index.js'
import { type Entitlements, spendScopesOf } from '../../modules/keys/index.js'
import type { Target } from '../../providers/index.js'
import { boundOutput, lowerToFit, maxCostNanos, type OutputBound, type Pricing, pricingOf } from './bounds.js'
import type { PlannedCall } from './plan.js'
import { rateWindows } from './rate-windows.js'

/** What one attempt may use at its target, and what must be admitted before it is sent there. */
export interface Reservation {
  target: Target
  claims: Claim[]
  spend: SpendRequest | null
  /** Of the limits in `spend`. */
  limitsVersion: number
  worstCase: WorstCase
  /** The bytes to forward: the caller's own, except for the members that had to change, also to fit the granted money. */
  bodyWithin(grantedNanos: number | null): Buffer
}

/** A call at one of its targets. */
export interface Attempt extends PlannedCall {
  reservation: Reservation
}

/** Input as we count it, and the longest answer, at the price of both. */
export interface WorstCase {
  inputTokens: number
  outputTokens: number
  costNanos: number
}

export interface ReservationParts {
  spendLimits: SpendLimits
}

/** `now` decides which period of a budget applies. */
export async function reserve(
  { call, entitlements, plan }: Pick<PlannedCall, 'call' | 'entitlements' | 'plan'>,
  target: Target,
  now: Date,
  { spendLimits }: ReservationParts,
): Promise<Reservation> {
  const { inputTokens } = plan
  const { tpmLimit } = entitlements.key
  const { limits, version } = await spendLimits.limitsFor(entitlements, now)
  const output = boundOutput(call, target, tpmLimit === null ? null : tpmLimit - inputTokens)
  const pricing = pricingOf(target, call)
  const outputTokens = output.maxTokens * output.choices
  const worstCase = {
    inputTokens,
    outputTokens,
    costNanos: maxCostNanos(pricing, inputTokens, outputTokens),
  }
  const claims = claimsOf(entitlements, inputTokens + outputTokens)
  // What no limit applies to need not ask for admission: it is written down, and a limit that is made later finds it there.
  const isLimited = claims.length + limits.length > 0
  return {
    target,
    claims,
    limitsVersion: version,
    spend: isLimited ? spendRequest(entitlements, limits, pricing, worstCase, output) : null,
    worstCase,
    bodyWithin(grantedNanos) {
      const edits = new Map(plan.edits)
      if (target.model !== call.model) edits.set('model', JSON.stringify(target.model))
      if (grantedNanos !== null && grantedNanos < worstCase.costNanos)
        edits.set(output.field, String(lowerToFit(grantedNanos, pricing, inputTokens, output)))
      else if (output.forwarded !== null) edits.set(output.field, String(output.forwarded))
      return edits.size === 0 ? call.raw : editMembers(call.raw, call.members, edits)
    },
  }
}

function claimsOf({ key }: Entitlements, tokens: number): Claim[] {
  const { windowMs, requestsOf, tokensOf } = rateWindows
  const claims: Claim[] = []
  if (key.rpmLimit !== null)
    claims.push({ id: requestsOf(key.id), unit: 'requests', limit: key.rpmLimit, amount: 1, windowMs })
  if (key.tpmLimit !== null)
    claims.push({ id: tokensOf(key.id), unit: 'tokens', limit: key.tpmLimit, amount: tokens, windowMs })
  return claims
}

// Less than a sentence is no answer: the call is refused instead.
const minUsefulTokens = 16

/** The worst case is reserved. Where it does not fit, less will do, down to the least that is of use. */
function spendRequest(
  entitlements: Entitlements,
  limits: readonly SpendLimit[],
  pricing: Pricing,
  worstCase: WorstCase,
  output: OutputBound,
): SpendRequest {
  const minTokens = Math.min(output.maxTokens, minUsefulTokens) * output.choices
  return {
    scopes: spendScopesOf(entitlements),
    claims: limits,
    maxNanos: worstCase.costNanos,
    minNanos: maxCostNanos(pricing, worstCase.inputTokens, minTokens),
  }
}
