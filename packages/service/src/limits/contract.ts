import type { Scope, SpendAccount } from '../shared/spend-account.js'

export type Unit = 'requests' | 'tokens'

/** Everything that one attempt of a call claims. */
export interface AdmissionRequest {
  readonly tenantId: string
  /** The id of the attempt, which for the first attempt is the id of the call. */
  readonly attemptId: string
  /** The claims on rate limits. */
  readonly claims: readonly WindowClaim[]
  /** What to reserve in budgets. Null when the attempt costs nothing. */
  readonly spend: SpendRequest | null
  /**
   * The generation that this attempt was admitted under before, when a newer one was loaded before the attempt was stored as an open
   * call. The attempt is admitted under a newer generation only.
   */
  readonly afterGeneration?: number | undefined
}

/** A claim of `amount` from a limit that allows at most `limit` in any rolling window of `windowMs`. */
export interface WindowClaim {
  /** The limit, such as `key_…/rpm`. Within a tenant an id always has the same unit and window. */
  readonly id: string
  readonly unit: Unit
  /** The current limit. It may differ from that of the previous call. */
  readonly limit: number
  readonly amount: number
  readonly windowMs: number
  /**
   * The version of the tenant's limits at which this limit began to apply. Zero or absent when it always did. Earlier calls claimed
   * nothing from it, so a store that was loaded at an earlier version loads the tenant again before it decides.
   */
  readonly sinceLimitsVersion?: number
}

/** A limit on the spend of an account. */
export interface AccountLimit {
  readonly account: SpendAccount
  readonly limitNanos: number
}

/**
 * The cost to reserve for an attempt. It is reserved in every scope of the call, including scopes without a limit, so that a limit
 * created while the call runs includes it.
 */
export interface SpendRequest {
  readonly scopes: readonly Scope[]
  /** The limits on accounts of these scopes. */
  readonly accountLimits: readonly AccountLimit[]
  readonly maxNanos: number
  /** The attempt is refused when less than this is left. */
  readonly minNanos: number
}

/** The account that has too little left for an attempt, by its narrowest limit. */
export interface SpendRefusal {
  readonly accountLimit: AccountLimit
  readonly spentNanos: number
  /** The spent and the reserved amount together, without this attempt. */
  readonly usedNanos: number
}

/** What a committed receipt adds to spend. */
export interface ReceiptSpend {
  readonly tenantId: string
  readonly attemptId: string
  readonly seq: number
  readonly nanos: number
  /** The tokens that the call used. They correct a hold that was not settled. */
  readonly tokens: number
  readonly atMs: number
  readonly scopes: readonly Scope[]
}

/** How much of one limit is left after a decision. */
export interface LimitStatus {
  readonly unit: Unit
  readonly limit: number
  readonly remaining: number
  /** Whole milliseconds until the window is empty, if nothing else is admitted. */
  readonly resetMs: number
}

/** A handle for what a store holds for an admitted attempt. Only the store that returned it can settle or release it. */
export interface Hold {
  readonly tenantId: string
}

export interface Admitted {
  readonly admitted: true
  readonly hold: Hold
  /** The time of admission by the store's clock, in whole milliseconds since 1970, rounded down. */
  readonly atMs: number
  /**
   * The generation of the state that the decision was based on. The admission is valid only if the attempt is stored as an open call
   * before a newer generation is loaded. Null when the attempt claimed nothing, and when no limit applies to it and the store cannot
   * be reached: the store then reads it from the database later.
   */
  readonly generation: number | null
  /** One for each claim, in the order of the claims. */
  readonly limitStatuses: readonly LimitStatus[]
  /** The cost that was reserved. Null when the request asked for none. */
  readonly grantedNanos: number | null
}

/** Less is left in a budget than the attempt needs at least. */
export interface RefusedBySpend {
  readonly admitted: false
  readonly reason: 'spend'
  readonly atMs: number
  readonly refusal: SpendRefusal
  readonly limitStatuses: readonly LimitStatus[]
}

/** A rate limit is exceeded. */
export interface RefusedByWindow {
  readonly admitted: false
  readonly reason: 'window'
  /** Of the claims that do not fit, the one that has to wait longest. */
  readonly refusedBy: WindowClaim
  /** The amount alone exceeds the limit, so waiting does not help. */
  readonly neverFits: boolean
  /**
   * The smallest whole number of seconds after which the same attempt is admitted, if nothing else happens in the meantime. At least 1,
   * and at most the window. The whole window when `neverFits` is set.
   */
  readonly retryAfterSeconds: number
  readonly limitStatuses: readonly LimitStatus[]
}

/** The period of an account does not include `atMs`. Nothing was taken. The caller retries with the accounts of that time. */
export interface OutOfPeriod {
  readonly admitted: false
  readonly reason: 'period'
  readonly atMs: number
  readonly limitStatuses: readonly LimitStatus[]
}

export type Decision = Admitted | RefusedByWindow | RefusedBySpend | OutOfPeriod

/** The actual usage of a call. A unit that is left out stays counted as claimed. */
export type ActualUse = Readonly<Partial<Record<Unit, number>>>

/**
 * Decides on rate limits and budgets in one atomic step.
 *
 * An amount admitted at `t` counts in [t, t + windowMs). A store may count it for up to a millisecond longer, which lets it combine
 * admissions of one millisecond and load times that were rounded down to the millisecond. It never counts an amount for less time, so
 * the limit holds in every rolling window.
 */
export interface AdmissionStore {
  /** Takes the amounts of all claims and reserves the cost, or does nothing. The claims of one request have different ids. */
  admit(request: AdmissionRequest): Promise<Decision>

  /**
   * Replaces the claimed amounts by the actual ones, as of the time of admission. A smaller amount frees the difference at once. A larger
   * amount counts even above the limit, and later calls wait for it. Only the first call for a hold has an effect, and none has once the
   * admission has left its window. The cost stays reserved until the receipt is counted: if the process dies before that, the attempt is
   * recorded with the whole reserved cost.
   */
  settle(hold: Hold, actual: ActualUse): Promise<void>

  /** Undoes the admission of an attempt that was not made and will have no receipt. */
  release(hold: Hold): Promise<void>

  /** Adds committed receipts to spend and ends their holds. Called for every committed receipt. Repeating one within a minute has no effect. */
  countReceipts(receipts: readonly ReceiptSpend[]): Promise<void>

  /** Reads how much of each limit is left now, regardless of the claimed amounts. Takes nothing. */
  readLimitStatuses(tenantId: string, claims: readonly WindowClaim[]): Promise<LimitStatus[]>

  /** Reads what open calls have reserved in an account. */
  readReservedNanos(tenantId: string, account: SpendAccount): Promise<number>

  /**
   * Discards the state of a tenant, which is loaded from the database before the next decision. Needed when a process died that should
   * have settled holds or reported receipts.
   */
  forgetTenant(tenantId: string): Promise<void>

  /** Throws when calls with limits cannot be decided at the moment. */
  check(): Promise<void>

  close(): Promise<void>
}
