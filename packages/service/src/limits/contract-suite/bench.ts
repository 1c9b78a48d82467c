import type { AdmissionStore } from '../contract.js'
import type { InMemoryUsageSource } from './in-memory-usage-source.js'
import type { ManualClock } from './manual-clock.js'

/** What a test of a store is given. */
export interface Bench {
  readonly clock: ManualClock
  readonly usageSource: InMemoryUsageSource
  /** The first of the replicas. */
  readonly store: AdmissionStore
  /** All that share one memory. */
  readonly replicas: readonly AdmissionStore[]
  /** Deletes all state of the store without notifying it. The store in memory cannot lose state; there, `forget` is called. */
  loseState(tenantId: string): Promise<void>
  /** A tenant nobody has used before. */
  newTenant(): string
}
