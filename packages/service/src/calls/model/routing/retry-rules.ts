/** Why an attempt failed, when another one may succeed. */
export type FailureKind = 'connect' | 'timeout' | '429' | '5xx' | 'credential'

/** How often a call is retried, and after which failures. */
export interface RetryRules {
  /** The number of attempts that may follow the first one. */
  maxRetries: number
  on: readonly FailureKind[]
}
