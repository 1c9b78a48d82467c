import type { Scope, SpendAccount } from '../shared/spend-account.js'

export type Unit = 'requests' | 'tokens'

export interface SpendClaim {
  readonly account: SpendAccount
  readonly limitNanos: number
}

/**
 * Money that a call may cost at most. It is reserved in every scope of the call, whether or not a limit applies there: a
 * limit that is made while the call runs counts it.
 */
export interface SpendRequest {
  readonly scopes: readonly Scope[]
  /** Limits on accounts of these scopes. */
  readonly claims: readonly SpendClaim[]
  readonly maxNanos: number
  /** Less than this is of no use: the call is then refused. */
  readonly minNanos: number
}

export interface SpendRefusal {
  readonly claim: SpendClaim
  readonly spentNanos: number
  /** Spent and reserved together, before this call. */
  readonly usedNanos: number
}

/** What a receipt in the record cost, and whom. */
export interface RecordedSpend {
  readonly tenantId: string
  readonly callId: string
  readonly seq: number
  readonly nanos: number
  /** What the call used, for a pass that nobody could settle. */
  readonly tokens: number
  readonly atMs: number
  readonly scopes: readonly Scope[]
}

/** Everything one call asks for. */
export interface AdmissionRequest {
  readonly tenantId: string
  readonly callId: string
  readonly claims: readonly Claim[]
  readonly spend: SpendRequest | null
  /** The call was admitted under this generation, which was overtaken before the call was written down: not again. */
  readonly afterGeneration?: number
}

/** A wish to use `amount` of something that may be used at most `limit` times in any rolling `windowMs`. */
export interface Claim {
  /** What is limited, e.g. `key_…/rpm`. Within a tenant an id always has the same unit and window. */
  readonly id: string
  readonly unit: Unit
  /** The limit as it is at this moment; it may differ from the one of the call before. */
  readonly limit: number
  readonly amount: number
  readonly windowMs: number
  /**
   * The version of the tenant's limits at which this limit began to apply; 0 or absent when it always did. Calls before that
   * claimed nothing here, so a store that was loaded at an earlier version loads the tenant again before it decides.
   */
  readonly since?: number
}

/** How much of one claim's limit is left after the decision. */
export interface LimitStatus {
  readonly unit: Unit
  readonly limit: number
  readonly remaining: number
  /** Whole milliseconds until the window is wholly free again, if nothing else is admitted. */
  readonly resetMs: number
}

/** Proof of an admission, to be handed back to the store that gave it. Its content is that store's own business. */
export interface Pass {
  readonly tenantId: string
}

export interface Admitted {
  readonly admitted: true
  readonly pass: Pass
  /** When, by the store's clock: whole milliseconds since 1970, rounded down. */
  readonly atMs: number
  /**
   * Of the truth that it was decided on. The call counts only if it is written down, as one that is under way, before a
   * later generation is loaded. Null when the call asked for nothing, or when no limit applies to it and the store cannot be
   * reached: it is then known from the truth.
   */
  readonly generation: number | null
  /** One per claim, in the order of the claims. */
  readonly limitStatuses: readonly LimitStatus[]
  /** How much money the call may cost; null when it asked for none. */
  readonly grantedNanos: number | null
}

/** There is no room for the money that the call needs at least. */
export interface RefusedBySpend {
  readonly admitted: false
  readonly reason: 'spend'
  readonly atMs: number
  readonly refusal: SpendRefusal
  readonly limitStatuses: readonly LimitStatus[]
}

export interface Refused {
  readonly admitted: false
  readonly reason: 'window'
  /** Of the claims that do not fit, the one that has to wait longest. */
  readonly refusedBy: Claim
  /** The amount alone is above the limit: waiting does not help, only a smaller call or a higher limit does. */
  readonly never: boolean
  /**
   * The smallest whole number of seconds after which the same call is admitted, if nothing else happens until then.
   * At least 1, at most the window; the whole window when `never`.
   */
  readonly retryAfterSeconds: number
  readonly limitStatuses: readonly LimitStatus[]
}

/** A period that the call wants to spend in is over, or has not begun, at `atMs`: nothing was taken, ask for the right one. */
export interface OutOfPeriod {
  readonly admitted: false
  readonly reason: 'period'
  readonly atMs: number
  readonly limitStatuses: readonly LimitStatus[]
}

export type Decision = Admitted | Refused | RefusedBySpend | OutOfPeriod

/** What a call really used. A unit that is left out stays counted as it was claimed. */
export type ActualUse = Readonly<Partial<Record<Unit, number>>>

/**
 * Limits as one atomic step.
 *
 * An amount admitted at `t` counts in [t, t + windowMs). A store may keep counting it for less than a millisecond
 * longer, so that it can merge neighbours and be reported of moments rounded down to the millisecond, but never a moment
 * shorter: the limit holds in every rolling window.
 */
export interface AdmissionStore {
  /** Takes the amounts of all claims and the money, or none of it. Claims of one call name different ids. */
  admit(request: AdmissionRequest): Promise<Decision>

  /**
   * Replaces the claimed amounts by the actual ones at the moment of their admission. Less gives the difference back
   * at once; more is counted even above the limit, and the next call waits for it. Only the first settling of a pass
   * has an effect, and none has once the admission has left the window. Money stays reserved as it was granted until
   * the receipt is counted: if the process dies before that, the call is recorded at the whole of it.
   */
  settle(pass: Pass, actual: ActualUse): Promise<void>

  /** The call was not made after all, and will never have a receipt: it is as if it had not been admitted. */
  release(pass: Pass): Promise<void>

  /** Counts what the record now holds. Every committed receipt is reported; telling it again within a minute has no effect. */
  record(spends: readonly RecordedSpend[]): Promise<void>

  /** How much of each claim's limit is left at this moment, whatever its amount. Nothing is taken. */
  limitStatuses(tenantId: string, claims: readonly Claim[]): Promise<LimitStatus[]>

  /** What calls under way hold of an account. */
  reservedNanos(tenantId: string, account: SpendAccount): Promise<number>

  /**
   * Lets go of all it knows of a tenant, which is then loaded from the truth before anything is admitted: for when
   * someone who should have settled or recorded has died.
   */
  forget(tenantId: string): Promise<void>

  /** Throws when calls with limits cannot be decided at the moment. */
  check(): Promise<void>

  close(): Promise<void>
}
