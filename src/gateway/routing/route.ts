/** Why an attempt failed, where another one may do better. */
export type FailureKind = 'connect' | 'timeout' | '429' | '5xx' | 'credential'

/** How often a call is tried again, and after what. */
export interface RetryTerms {
  /** Beside the first. */
  attempts: number
  on: readonly FailureKind[]
}
