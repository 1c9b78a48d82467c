import type { Scope, SpendAccount } from '../shared/spend-account.js'
import type { Unit } from './contract.js'

/** Reads from the database what a store needs when it is new or has lost its state. */
export interface UsageLoader {
  loadTenantUsage(tenantId: string): Promise<TenantUsage>
  /** Reads the spend of accounts of one tenant, in their order, on one snapshot. */
  loadAccountSpend(tenantId: string, accounts: readonly SpendAccount[]): Promise<AccountSpend[]>
}

/** What a tenant used in the last window, read on one snapshot. */
export interface TenantUsage {
  /**
   * Increases with every load. From then on, a call that was admitted under an older generation can no longer be stored as open and
   * must be admitted again.
   */
  readonly generation: number
  /** The version of the tenant's limits at the time of the read. */
  readonly limitsVersion: number
  /** The usage of the calls that ended within the last window, from their receipts. */
  readonly uses: readonly RecordedUse[]
  /** The calls that were admitted and have no receipt yet, whether they still run or their process has died. */
  readonly openCalls: readonly AdmittedCall[]
}

export interface RecordedUse {
  readonly claimId: string
  readonly windowMs: number
  /** When the call was admitted, rounded down to the millisecond. */
  readonly atMs: number
  readonly amount: number
}

export interface AdmittedCall {
  readonly attemptId: string
  readonly atMs: number
  readonly claims: readonly AdmittedWindowClaim[]
  /** The scopes in which `nanos` is reserved. */
  readonly scopes: readonly Scope[]
  readonly nanos: number
}

/** A window claim as it was admitted, without the limit of that time. */
export interface AdmittedWindowClaim {
  readonly id: string
  readonly unit: Unit
  readonly amount: number
  readonly windowMs: number
}

/** The spend of an account, including all receipts up to the one with the number `asOfSeq`. */
export interface AccountSpend {
  readonly asOfSeq: number
  readonly spentNanos: number
}
