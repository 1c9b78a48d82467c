/** Whom a call is made by or for. */
export type CallerScopeType = 'tenant' | 'team' | 'user' | 'key'

/** What a limit applies to, and what a cost counts for. The id of a tag is `name=value`. */
export type ScopeType = CallerScopeType | 'tag' | 'session'

/** What a cost counts for. */
export type Scope = readonly [ScopeType, string]

/** The spend of one scope within one period, which is made of whole days (UTC). Several budgets may limit the same account. */
export interface SpendAccount {
  readonly scopeType: ScopeType
  readonly scopeId: string
  readonly startMs: number
  /** Exclusive; null for a period that never ends. */
  readonly endMs: number | null
}

export const isInPeriod = ({ startMs, endMs }: SpendAccount, atMs: number): boolean =>
  atMs >= startMs && (endMs === null || atMs < endMs)
