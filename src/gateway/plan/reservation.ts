import type { Claim, SpendRequest } from '../../admission/index.js'
import { invalidField } from '../../errors.js'
import { claimsOfKey, type SizeAdvice } from '../../governed/index.js'
import { editMembers } from '../../json/index.js'
import type { SpendLimit, SpendLimits } from '../../modules/budgets/index.js'
import { spendScopesOf } from '../../modules/keys/index.js'
import { isFree } from '../../pricing/index.js'
import type { Target } from '../../providers/index.js'
import type { Scope } from '../../spend-account.js'
import type { WaitForTurn } from '../../turns.js'
import { readBodyObject } from '../call.js'
import { adviseOnSize } from './advise-on-size.js'
import { CallBounds, type Extent, type ReservedUse } from './bounds.js'
import { type ForwardTerms, limitsToForward } from './forwarded-limits.js'
import { type InputParts, type InputSize, sizeInput } from './input.js'
import { initialExtent, leastUseful, lowerToMoney } from './lower-extent.js'
import type { PlannedCall } from './plan.js'

/** What one attempt may use at its target, and what must be admitted before it is sent there. */
export interface Reservation {
  target: Target
  input: InputSize
  claims: Claim[]
  spend: SpendRequest | null
  /** What `spend` claims from. */
  limits: readonly SpendLimit[]
  /** Of these limits. */
  limitsVersion: number
  /** The longest answer of all choices together, as the caller asked for it. */
  maxOutputTokens: number
  /** An output that the caller demands room for; 0 where it demands none. */
  minOutputTokens: number
  /** What to change about a call that is larger than a limit on tokens. */
  sizeAdvice(refusedBy: Claim): SizeAdvice
  /** What the granted money pays for; null grants all that was asked for. */
  within(grantedNanos: number | null): GrantedCall
}

/** Why a call needs that much, as the end of a sentence. */
export const outputDemand = ({ minOutputTokens }: Reservation): string =>
  minOutputTokens === 0
    ? ''
    : ` for its thinking budget of ${minOutputTokens - 1} tokens: lower that, or the input`

/** A call within what it may cost. */
export interface GrantedCall {
  /** The bytes to forward: the caller's own, except for the members that had to change. */
  body: Buffer
  /** The dearest that the provider can make of these bytes. */
  reserved: ReservedUse
  /**
   * The same call with these bytes, which policies have changed: what they put into it may have more tokens than what they took
   * out. Its maximum is lowered where the money requires it. Null when the money does not pay for it.
   */
  replaceBody(judged: Buffer): Promise<Pick<GrantedCall, 'body' | 'reserved'> | null>
}

/** A call at one of its targets. */
export interface Attempt extends PlannedCall {
  /** From 1. */
  number: number
  reservation: Reservation
  /** Of the price, which the record contains. */
  priceHash: string
}

export interface ReservationParts extends InputParts {
  spendLimits: SpendLimits
  waitForTurn: WaitForTurn
}

/** `now` decides which period of a budget applies. */
export async function reserve(
  { call, entitlements, plan }: Pick<PlannedCall, 'call' | 'entitlements' | 'plan'>,
  target: Target,
  now: Date,
  parts: ReservationParts,
): Promise<Reservation> {
  const { key } = entitlements
  const [{ limits, version }, input] = await Promise.all([
    parts.spendLimits.limitsFor(entitlements, call, now),
    sizeInput(call, plan.references, plan.prompt, target, parts),
  ])
  const [unbounded] = input.unbounded
  if (unbounded && limits.length > 0 && !isFree(target.price))
    throw invalidField(
      unbounded.path,
      `${unbounded.message}. A budget applies to this call, so it is refused`,
    )

  const bounds = new CallBounds(call, target, input)
  if (limits.length > 0 && bounds.hasUnboundedTools && bounds.limitToolUses(1) === null)
    throw invalidField(
      'tools',
      'has a tool that the provider runs as often as it likes. A budget applies to this call, so it is refused',
    )
  const isBatch = call.batch !== null
  const tpmLimit = isBatch ? null : key.tpmLimit
  const isPaid = limits.length > 0 && !isFree(target.price)
  const terms: ForwardTerms = {
    isLimited: isBatch || tpmLimit !== null || isPaid,
    // What a batch reserves is all that its lines may cost, whatever policies put into them later.
    isHard: isBatch || limits.length > 0,
  }
  const wanted = initialExtent(bounds, input, { tpmLimit, isForwarded: terms.isLimited })
  // A batch has all of what it asks for, or does not begin.
  const least = isBatch ? wanted : leastUseful(bounds, wanted)
  const isUncounted = call.dialect.isFree || target.isCached
  const tokens = isUncounted ? null : bounds.tokensOf(wanted)
  const claims = isBatch ? [] : claimsOfKey(key, { requests: 1, tokens })
  return {
    target,
    input,
    claims,
    limits,
    limitsVersion: version,
    spend: spendRequest(spendScopesOf(entitlements, call), limits, bounds, wanted, least),
    maxOutputTokens: wanted.outputTokens * bounds.choices,
    minOutputTokens: call.dialect.minOutputOf(call.body),
    sizeAdvice: ({ limit }) => adviseOnSize(call, bounds, input, limit),
    within(grantedNanos) {
      const extent = grantedNanos === null ? wanted : lowerToMoney(bounds, wanted, least, grantedNanos)
      const edits = new Map(plan.edits)
      if (target.model !== call.body.model) edits.set('model', JSON.stringify(target.model))
      const granted = grant(call, target, bounds, extent, terms, edits)
      return {
        ...granted,
        async replaceBody(judged) {
          const changed = { ...call, raw: judged, ...(await readBodyObject(judged, parts)) }
          // The prompt stands in these bytes.
          const size = await sizeInput(changed, plan.references, null, target, parts)
          const changedBounds = new CallBounds(changed, target, size)
          if (!terms.isHard) return grant(changed, target, changedBounds, extent, terms)
          const paid = bounds.costOf(extent)
          const changedLeast = leastUseful(changedBounds, extent)
          if (changedBounds.costOf(changedLeast) > paid) return null
          const lowered = lowerToMoney(changedBounds, extent, changedLeast, paid)
          return grant(changed, target, changedBounds, lowered, terms)
        },
      }
    },
  }
}

function grant(
  call: PlannedCall['call'],
  target: Target,
  bounds: CallBounds,
  extent: Extent,
  terms: ForwardTerms,
  edits = new Map<string, string | null>(),
): Pick<GrantedCall, 'body' | 'reserved'> {
  for (const [name, json] of limitsToForward(call, target, bounds, extent, terms)) edits.set(name, json)
  const body = edits.size === 0 ? call.raw : editMembers(call.raw, call.members, edits)
  return { body, reserved: bounds.reservedFor(extent) }
}

/**
 * The worst case is reserved. Where it does not fit, less will do, down to the least that is of use. It is reserved also where no
 * limit applies: one that is made while the call runs counts it.
 */
function spendRequest(
  scopes: readonly Scope[],
  limits: readonly SpendLimit[],
  bounds: CallBounds,
  wanted: Extent,
  least: Extent,
): SpendRequest | null {
  const maxNanos = bounds.costOf(wanted)
  if (limits.length === 0 && maxNanos === 0) return null
  const minNanos = limits.length === 0 ? maxNanos : bounds.costOf(least)
  return { scopes, claims: limits, maxNanos, minNanos }
}
