import type { AdmissionStore } from '../contract.js'
import type { InMemoryUsageLoader } from './in-memory-usage-loader.js'
import type { ManualClock } from './manual-clock.js'

/** The store under test and its environment. */
export interface Bench {
  readonly clock: ManualClock
  readonly usageLoader: InMemoryUsageLoader
  /** The first replica. */
  readonly store: AdmissionStore
  /** All stores that share one state. */
  readonly replicas: readonly AdmissionStore[]
  /** Deletes all state of the store without notifying it. The store in memory cannot lose state, so `forgetTenant` is called there. */
  loseState(tenantId: string): Promise<void>
  /** Returns a tenant that no test has used. */
  newTenant(): string
}
