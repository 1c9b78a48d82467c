import type { Scope, SpendAccount } from '../shared/spend-account.js'
import type { Unit } from './contract.js'

/** What the database knows of the past, and a store that has lost its memory must know again. */
export interface AdmissionTruth {
  loadTenant(tenantId: string): Promise<TenantTruth>
  /** What was spent on accounts of one tenant, in their order, all as of one moment. */
  loadSpend(tenantId: string, accounts: readonly SpendAccount[]): Promise<LoadedSpend[]>
}

/** All of it as of one moment. */
export interface TenantTruth {
  /**
   * Grows with every load. From the moment of the load on, a call that was admitted under an older generation can no
   * longer be written down as under way: it must be admitted again.
   */
  readonly generation: number
  /** The version of the tenant's limits that was in force when the calls were read. */
  readonly limitsVersion: number
  /** What receipts say was used within the last window. */
  readonly uses: readonly Use[]
  /** Calls that were admitted and have no receipt yet, whether they run or their process has died. */
  readonly open: readonly AdmittedCall[]
}

export interface Use {
  readonly claimId: string
  readonly windowMs: number
  /** When the call was admitted, rounded down to the millisecond. */
  readonly atMs: number
  readonly amount: number
}

export interface AdmittedCall {
  readonly callId: string
  readonly atMs: number
  readonly claims: readonly AdmittedClaim[]
  /** In which the money is reserved. */
  readonly scopes: readonly Scope[]
  readonly nanos: number
}

/** A claim as it was admitted. */
export interface AdmittedClaim {
  readonly id: string
  readonly unit: Unit
  readonly amount: number
  readonly windowMs: number
}

/** What was spent on an account, as of the receipt with this number. */
export interface LoadedSpend {
  readonly asOfSeq: number
  readonly spentNanos: number
}
