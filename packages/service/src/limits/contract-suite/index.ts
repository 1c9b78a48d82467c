import { afterAll, beforeAll, describe } from 'vitest'
import type { AdmissionStore } from '../contract.js'
import type { UsageLoader } from '../usage-loader.js'
import type { Bench } from './bench.js'
import { declareExamples } from './examples.js'
import { declareGenerations } from './generations.js'
import { InMemoryUsageLoader } from './in-memory-usage-loader.js'
import { declareLifetime } from './lifetime.js'
import { ManualClock } from './manual-clock.js'
import { declareProperties } from './properties.js'
import { declareSpend } from './spend.js'
import { declareStateLoss } from './state-loss.js'

interface StoreUnderTest {
  create(usageLoader: UsageLoader, clock: ManualClock): Promise<AdmissionStore>
  /** The number of stores that share one state. */
  readonly replicaCount?: number
  /** Deletes the state. */
  loseState?(): Promise<void>
  /** The number of random scripts for each property. */
  readonly numRuns: number
}

/**
 * Tests the guarantees of an admission store. The suite advances the clock of the store. All tests share the store, and each has its
 * own tenants.
 */
export function describeAdmissionStore(
  name: string,
  { create, loseState, replicaCount = 1, numRuns }: StoreUnderTest,
): void {
  describe(`${name} admission`, () => {
    let bench: Bench | undefined
    let tenantCount = 0

    beforeAll(async () => {
      const clock = new ManualClock(1_000)
      const usageLoader = new InMemoryUsageLoader()
      const store = await create(usageLoader, clock)
      const others = Array.from({ length: replicaCount - 1 }, () => create(usageLoader, clock))
      bench = {
        clock,
        usageLoader,
        store,
        replicas: [store, ...(await Promise.all(others))],
        loseState: loseState ?? ((tenantId) => store.forgetTenant(tenantId)),
        newTenant: () => `tenant_${++tenantCount}`,
      }
    })

    afterAll(async () => {
      for (const store of bench?.replicas ?? []) await store.close()
    })

    function currentBench(): Bench {
      if (bench === undefined) throw new Error('The store is created before the first test')
      return bench
    }

    declareExamples(currentBench)
    declareProperties(currentBench, numRuns)
    declareSpend(currentBench, numRuns)
    declareStateLoss(currentBench)
    declareGenerations(currentBench)
    declareLifetime(currentBench, numRuns)
  })
}
