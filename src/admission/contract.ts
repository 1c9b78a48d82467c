export type Unit = 'requests' | 'tokens'

/** A wish to use `amount` of something that may be used at most `limit` times in any rolling `windowMs`. */
export interface Claim {
  /** What is limited, e.g. `key_…/rpm`. Within a tenant an id always has the same unit and window. */
  readonly id: string
  readonly unit: Unit
  /** The limit as it is at this moment; it may differ from the one of the call before. */
  readonly limit: number
  readonly amount: number
  readonly windowMs: number
}

/** How much of one claim's limit is left after the decision. */
export interface Standing {
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
  /** One per claim, in the order of the claims. */
  readonly standings: readonly Standing[]
}

export interface Refused {
  readonly admitted: false
  /** Of the claims that do not fit, the one that has to wait longest. */
  readonly refusedBy: Claim
  /** The amount alone is above the limit: waiting does not help, only a smaller call or a higher limit does. */
  readonly never: boolean
  /**
   * The smallest whole number of seconds after which the same call is admitted, if nothing else happens until then.
   * At least 1, at most the window; the whole window when `never`.
   */
  readonly retryAfterSeconds: number
  readonly standings: readonly Standing[]
}

export type Decision = Admitted | Refused

/** What a call really used. A unit that is left out stays counted as it was claimed. */
export type ActualUse = Readonly<Partial<Record<Unit, number>>>

/**
 * Limits as one atomic step.
 *
 * An amount admitted at `t` counts in [t, t + windowMs). A store may keep counting it for less than a millisecond
 * longer, so that it can merge neighbours, but never a moment shorter: the limit holds in every rolling window.
 */
export interface AdmissionStore {
  /** Takes the amounts of all claims, or of none. Claims of one call name different ids. */
  admit(tenantId: string, claims: readonly Claim[]): Promise<Decision>

  /**
   * Replaces the claimed amounts by the actual ones at the moment of their admission. Less gives the difference back
   * at once; more is counted even above the limit, and the next call waits for it. Only the first settling of a pass
   * has an effect, and none has once the admission has left the window.
   */
  settle(pass: Pass, actual: ActualUse): Promise<void>

  close(): Promise<void>
}
