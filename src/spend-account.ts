/** What a limit applies to, and whom a cost counts for. */
export type ScopeType = 'tenant' | 'team' | 'user' | 'key'

/** The spend of one scope within one period. Several budgets may limit the same account. */
export interface SpendAccount {
  readonly scopeType: ScopeType
  readonly scopeId: string
  readonly startMs: number
  /** Exclusive; null for a period that never ends. */
  readonly endMs: number | null
}
