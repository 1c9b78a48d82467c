/** What a limit applies to, and whom a cost counts for. */
export type ScopeType = 'tenant' | 'team' | 'user' | 'key'

/** Whom a cost counts for. */
export type Scope = readonly [ScopeType, string]

/** The spend of one scope within one period, which is made of whole days (UTC). Several budgets may limit the same account. */
export interface SpendAccount {
  readonly scopeType: ScopeType
  readonly scopeId: string
  readonly startMs: number
  /** Exclusive; null for a period that never ends. */
  readonly endMs: number | null
}
