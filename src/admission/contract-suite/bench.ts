import type { AdmissionStore } from '../contract.js'
import type { LedgerOfTruth } from './ledger-of-truth.js'
import type { ManualClock } from './manual-clock.js'

/** What a test of a store is given. */
export interface Bench {
  readonly clock: ManualClock
  readonly truth: LedgerOfTruth
  /** The first of the replicas. */
  readonly store: AdmissionStore
  /** All that share one memory. */
  readonly replicas: readonly AdmissionStore[]
  /** The memory loses all at once, and nobody is told. Where it is the process's own, it cannot, but be told to forget. */
  lose(tenantId: string): Promise<void>
  /** A tenant nobody has used before. */
  newTenant(): string
}
