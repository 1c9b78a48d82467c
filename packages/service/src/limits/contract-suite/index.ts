import { afterAll, beforeAll, describe } from 'vitest'
import type { AdmissionStore } from '../contract.js'
import type { UsageSource } from '../usage-source.js'
import type { Bench } from './bench.js'
import { declareExamples } from './examples.js'
import { InMemoryUsageSource } from './in-memory-usage-source.js'
import { declareLifetime } from './lifetime.js'
import { declareLoss } from './loss.js'
import { ManualClock } from './manual-clock.js'
import { declareProperties } from './properties.js'
import { declareSpend } from './spend.js'

interface StoreUnderTest {
  create(usageSource: UsageSource, clock: ManualClock): Promise<AdmissionStore>
  /** How many stores share one memory. */
  readonly replicaCount?: number
  /** Empties the memory. */
  loseState?(): Promise<void>
  /** How many random scripts each property tries; a store with a round trip per call will want fewer. */
  readonly numRuns: number
}

/**
 * The guarantees of admission, for whichever store keeps them. The store gets a clock that only the suite advances; it
 * is shared by all the tests, each of which has its own tenants.
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
      const usageSource = new InMemoryUsageSource()
      const store = await create(usageSource, clock)
      const others = Array.from({ length: replicaCount - 1 }, () => create(usageSource, clock))
      bench = {
        clock,
        usageSource,
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
    declareLoss(currentBench)
    declareLifetime(currentBench, numRuns)
  })
}
