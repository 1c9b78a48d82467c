import type { Claim, SpendRequest } from '../../admission/index.js'
import { invalidField } from '../../errors.js'
import { claimsOfKey } from '../../governed/index.js'
import { editMembers } from '../../json/index.js'
import type { SpendLimit, SpendLimits } from '../../modules/budgets/index.js'
import { spendScopesOf } from '../../modules/keys/index.js'
import { isFree } from '../../pricing/index.js'
import type { Target } from '../../providers/index.js'
import type { Scope } from '../../spend-account.js'
import type { WaitForTurn } from '../../turns.js'
import { readBodyObject } from '../call.js'
import { CallBounds, type Extent, largestThat, type ReservedUse } from './bounds.js'
import { type InputParts, type InputSize, sizeInput } from './input.js'
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
  if (limits.length > 0 && bounds.hasUnboundedTools && call.dialect.limitToolUses(call.body, 1) === null)
    throw invalidField(
      'tools',
      'has a tool that the provider runs as often as it likes. A budget applies to this call, so it is refused',
    )
  const isBatch = call.batch !== null
  const wanted = lowerToRoom(
    bounds,
    call.dialect.maxOutputOf(call.body),
    input,
    isBatch ? null : key.tpmLimit,
  )
  // A batch has all of what it asks for, or does not begin.
  const least = isBatch ? wanted : leastUseful(call, bounds, wanted)
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
    within(grantedNanos) {
      // What a batch reserves is all that its lines may cost, whatever policies put into them later.
      const isHard = isBatch || limits.length > 0
      const extent = grantedNanos === null ? wanted : lowerToMoney(bounds, wanted, least, grantedNanos)
      const edits = new Map(plan.edits)
      if (target.model !== call.body.model) edits.set('model', JSON.stringify(target.model))
      const granted = grant(call, target, bounds, extent, isHard, edits)
      return {
        ...granted,
        async replaceBody(judged) {
          const changed = { ...call, raw: judged, ...(await readBodyObject(judged, parts)) }
          // The prompt stands in these bytes.
          const size = await sizeInput(changed, plan.references, null, target, parts)
          const changedBounds = new CallBounds(changed, target, size)
          if (!isHard) return grant(changed, target, changedBounds, extent, isHard)
          const paid = bounds.costOf(extent)
          const changedLeast = leastUseful(changed, changedBounds, extent)
          if (changedBounds.costOf(changedLeast) > paid) return null
          const lowered = lowerToMoney(changedBounds, extent, changedLeast, paid)
          return grant(changed, target, changedBounds, lowered, isHard)
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
  isHard: boolean,
  edits = new Map<string, string | null>(),
): Pick<GrantedCall, 'body' | 'reserved'> {
  for (const [name, json] of editsFor(call, target, bounds, extent, isHard)) edits.set(name, json)
  const body = edits.size === 0 ? call.raw : editMembers(call.raw, call.members, edits)
  return { body, reserved: bounds.reservedFor(extent) }
}

/**
 * A call that declares no maximum may take the model's own. Where the key's limit per minute is smaller than that, it is
 * lowered to it; otherwise the call could never run.
 */
function lowerToRoom(
  { declared, choices }: CallBounds,
  declaredOutput: number | null,
  { estimateTokens }: InputSize,
  tpmLimit: number | null,
): Extent {
  if (declaredOutput !== null || tpmLimit === null) return declared
  const room = Math.floor((tpmLimit - estimateTokens) / choices)
  return room < 1 ? declared : { ...declared, outputTokens: Math.min(declared.outputTokens, room) }
}

// Less than a sentence is no answer: the call is refused instead.
const minUsefulTokens = 16

/** What is the least of use: a short answer, after the thinking that it demands, and one use of a tool that it was given. */
function leastUseful({ dialect, body }: PlannedCall['call'], bounds: CallBounds, wanted: Extent): Extent {
  const canLimitTools = bounds.usesTools && dialect.limitToolUses(body, 1) !== null
  return {
    outputTokens: Math.min(wanted.outputTokens, Math.max(minUsefulTokens, dialect.minOutputOf(body))),
    toolUses: canLimitTools ? Math.min(wanted.toolUses, 1) : wanted.toolUses,
  }
}

/** Uses of tools are lowered first, then the answer: both as little as is needed. */
function lowerToMoney(bounds: CallBounds, wanted: Extent, least: Extent, grantedNanos: number): Extent {
  if (bounds.costOf(wanted) <= grantedNanos) return wanted
  const { outputTokens } = least
  const toolUses = largestThat(least.toolUses, wanted.toolUses, (uses) => {
    return bounds.costOf({ outputTokens, toolUses: uses }) <= grantedNanos
  })
  const fits = (tokens: number) => bounds.costOf({ outputTokens: tokens, toolUses }) <= grantedNanos
  return { outputTokens: largestThat(outputTokens, wanted.outputTokens, fits), toolUses }
}

/**
 * What was reserved is what is forwarded. A maximum is set where the caller set none and the model's own is not known, where it
 * had to be lowered, and in the member that this vendor honours where the caller used another.
 */
function editsFor(
  { dialect, body }: PlannedCall['call'],
  { maxOutputTokens, outputField }: Target,
  bounds: CallBounds,
  { outputTokens, toolUses }: Extent,
  isHard: boolean,
): [string, string][] {
  const edits: [string, string][] = []
  const declared = dialect.outputFields.filter((field) => Number(body[field] ?? 0) > 0)
  const [first] = dialect.outputFields
  const honoured = dialect.outputFields.includes(outputField) ? outputField : first
  if (declared.length === 0) {
    const isBounded = maxOutputTokens !== null && outputTokens >= maxOutputTokens
    if (honoured !== undefined && !isBounded) edits.push([honoured, String(outputTokens)])
  } else {
    for (const field of declared)
      if (Number(body[field]) > outputTokens) edits.push([field, String(outputTokens)])
    if (honoured === 'max_tokens' && !declared.includes(honoured))
      edits.push([honoured, String(outputTokens)])
  }
  const mustLimitTools =
    bounds.usesTools && isHard && (bounds.hasUnboundedTools || toolUses < bounds.declared.toolUses)
  if (mustLimitTools) edits.push(...Object.entries(dialect.limitToolUses(body, toolUses) ?? {}))
  return edits
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
