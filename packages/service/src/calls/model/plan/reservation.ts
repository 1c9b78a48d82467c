import { editMembers } from '@tallystick/record/json'
import { isFree } from '@tallystick/record/pricing'
import type { SpendRequest, WindowClaim } from '../../../limits/index.js'
import type { Target, TokenCounter } from '../../../providers/index.js'
import type { SpendLimit, SpendLimits } from '../../../resources/budgets/index.js'
import { spendScopesOf } from '../../../resources/keys/index.js'
import { invalidField } from '../../../shared/errors.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { Scope } from '../../../shared/spend-account.js'
import { claimsOfKey, type LimitClaims, type SizeAdvice } from '../../core/index.js'
import { readBodyObject } from '../call.js'
import { adviseOnSize } from './advise-on-size.js'
import { fitToGrant, initialAllowance, minimumAllowance } from './allowance.js'
import { type Allowance, CallBounds, type ReservedUsage } from './call-bounds.js'
import { measureCoarsely } from './coarse-input.js'
import { type ForwardRules, limitsToForward } from './forwarded-limits.js'
import { type InputSize, measureInput } from './input-size.js'
import type { PlannedModelCall } from './plan.js'

/** The most that one attempt may use at its target, and the claims that must be admitted first. */
export interface Reservation extends LimitClaims {
  target: Target
  input: InputSize
  /** The maximum output tokens of all choices together. */
  maxOutputTokens: number
  /** The least output tokens that the request requires. 0 when it requires none. */
  minOutputTokens: number
  /** Returns how to make a call fit that is larger than a limit on tokens. */
  sizeAdvice(refusedBy: WindowClaim): SizeAdvice
  /** Returns the call, limited to what the granted money pays for. Null grants everything that was requested. */
  within(grantedNanos: number | null): GrantedCall
}

/** Returns why a call needs that much, as the end of a sentence. */
export const explainRequiredOutput = ({ minOutputTokens }: Reservation): string =>
  minOutputTokens === 0
    ? ''
    : ` for its thinking budget of ${minOutputTokens - 1} tokens: lower that, or the input`

/** A call limited to the cost that was granted. */
export interface GrantedCall {
  /** The body to forward: the caller's bytes, except for members that had to change. */
  body: Buffer
  /** The most expensive usage that this body can cause. */
  reserved: ReservedUsage
  /** Returns the same with its input counted, if the reservation is coarse. */
  countReserved(): Promise<ReservedUsage>
  /**
   * Returns the same call with a body that policies changed. The body may have more tokens than before, so the maximum output is lowered
   * when necessary. Null when the granted money does not pay for it.
   */
  replaceBody(judged: Buffer): Promise<Omit<GrantedCall, 'replaceBody'> | null>
}

/** A call with the reservation at one of its targets. */
export interface ReservedAttempt extends PlannedModelCall {
  /** The number of the attempt, from 1. */
  number: number
  reservation: Reservation
  /** Hash of the price entry in the record. */
  priceHash: string
}

export interface ReservationParts {
  tokens: TokenCounter
  spendLimits: SpendLimits
  yieldToEventLoop: YieldToEventLoop
}

/**
 * Computes the reservation of an attempt. `now` decides which period of a budget applies. A coarse reservation has a token for each byte of
 * the body, which is not counted then.
 */
export async function reserve(
  { call, entitlements, plan }: Pick<PlannedModelCall, 'call' | 'entitlements' | 'plan'>,
  target: Target,
  now: Date,
  parts: ReservationParts,
  mayBeCoarse = false,
): Promise<Reservation> {
  const { key } = entitlements
  const { limits, version } = await parts.spendLimits.limitsFor(entitlements, call, now)
  const isBatch = call.batch !== null
  const tpmLimit = isBatch ? null : key.tpmLimit
  const isPaid = limits.length > 0 && !isFree(target.price)
  const rules: ForwardRules = {
    isLimited: isBatch || tpmLimit !== null || isPaid,
    // The reservation of a batch is the most that its lines may cost, whatever policies add to them later.
    isHard: isBatch || limits.length > 0,
  }
  const constraints = { tpmLimit, isForwarded: rules.isLimited }
  const counter = { tokens: parts.tokens.forTenant(entitlements.tenantId) }
  const coarse = mayBeCoarse ? await measureCoarsely(call, plan, target, constraints, counter) : null
  const count = () => measureInput(call, plan.references, plan.prompt, target, counter)
  const input = coarse?.input ?? (await count())
  const [unbounded] = input.unbounded
  if (unbounded && limits.length > 0 && !isFree(target.price))
    throw invalidField(
      unbounded.path,
      `${unbounded.message}. A budget applies to this call, so it is refused`,
    )

  const bounds = coarse?.bounds ?? new CallBounds(call, target, input)
  if (limits.length > 0 && bounds.hasUnboundedTools && bounds.limitToolUses(1) === null)
    throw invalidField(
      'tools',
      'has a tool whose number of uses cannot be limited. A budget applies to this call, so it is refused',
    )
  const wanted = initialAllowance(bounds, input, constraints)
  // A batch is granted everything or nothing.
  const least = isBatch ? wanted : minimumAllowance(bounds, wanted)
  const isUncounted = call.endpoint.price.isFree || target.isCached
  const tokens = isUncounted ? null : bounds.tokensOf(wanted)
  const claims = isBatch ? [] : claimsOfKey(key, { requests: 1, tokens })
  return {
    target,
    input,
    claims,
    limits,
    limitsVersion: version,
    isCoarse: coarse !== null,
    spend: spendRequest(spendScopesOf(entitlements, call), limits, bounds, wanted, least),
    maxOutputTokens: wanted.outputTokens * bounds.choices,
    minOutputTokens: call.endpoint.minOutputOf(call.body),
    sizeAdvice: ({ limit }) => adviseOnSize(call, bounds, input, limit),
    within(grantedNanos) {
      const allowance = grantedNanos === null ? wanted : fitToGrant(bounds, wanted, least, grantedNanos)
      const edits = new Map(plan.edits)
      if (target.model !== call.body.model) edits.set('model', JSON.stringify(target.model))
      const granted = grant(call, target, bounds, allowance, rules, edits)
      return {
        body: granted.body,
        reserved: granted.reserved,
        async countReserved() {
          if (coarse === null) return granted.reserved
          return new CallBounds(call, target, await count()).reservedFor(allowance)
        },
        async replaceBody(judged) {
          const changed = { ...call, raw: judged, ...(await readBodyObject(judged, parts)) }
          // The body already contains the rendered prompt.
          const size = await measureInput(changed, plan.references, null, target, counter)
          const changedBounds = new CallBounds(changed, target, size)
          const grantCounted = (within: Allowance) => {
            const replaced = grant(changed, target, changedBounds, within, rules)
            return { ...replaced, countReserved: async () => replaced.reserved }
          }
          if (!rules.isHard) return grantCounted(allowance)
          const paid = bounds.costOf(allowance)
          const changedLeast = minimumAllowance(changedBounds, allowance)
          if (changedBounds.costOf(changedLeast) > paid) return null
          const lowered = fitToGrant(changedBounds, allowance, changedLeast, paid)
          return grantCounted(lowered)
        },
      }
    },
  }
}

function grant(
  call: PlannedModelCall['call'],
  target: Target,
  bounds: CallBounds,
  allowance: Allowance,
  rules: ForwardRules,
  edits = new Map<string, string | null>(),
): Pick<GrantedCall, 'body' | 'reserved'> {
  for (const [name, json] of limitsToForward(call, target, bounds, allowance, rules)) edits.set(name, json)
  const body = edits.size === 0 ? call.raw : editMembers(call.raw, call.members, edits)
  return { body, reserved: bounds.reservedFor(allowance) }
}

/**
 * Requests the maximum cost, or less when the budgets do not allow it, down to the minimum useful allowance. The cost is reserved even when
 * no budget applies, so that a budget created during the call counts it.
 */
function spendRequest(
  scopes: readonly Scope[],
  limits: readonly SpendLimit[],
  bounds: CallBounds,
  wanted: Allowance,
  least: Allowance,
): SpendRequest | null {
  const maxNanos = bounds.costOf(wanted)
  if (limits.length === 0 && maxNanos === 0) return null
  const minNanos = limits.length === 0 ? maxNanos : bounds.costOf(least)
  return { scopes, accountLimits: limits, maxNanos, minNanos }
}
