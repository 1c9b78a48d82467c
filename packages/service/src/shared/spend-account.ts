/** The scopes that follow from the caller. */
export type CallerScopeType = 'tenant' | 'team' | 'user' | 'key'

/** The types of scopes. The id of a tag scope is `name=value`. */
export type ScopeType = CallerScopeType | 'tag' | 'session'

/** The type and the id of a scope, in which costs are added up and to which limits apply. */
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
