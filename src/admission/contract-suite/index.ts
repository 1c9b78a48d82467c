import { afterAll, beforeAll, describe } from 'vitest'
import type { AdmissionStore } from '../contract.js'
import type { AdmissionTruth } from '../truth.js'
import { type Bench, declareExamples } from './examples.js'
import { LedgerOfTruth } from './ledger-of-truth.js'
import { ManualClock } from './manual-clock.js'
import { declareProperties } from './properties.js'
import { declareSpend } from './spend.js'

interface SuiteOptions {
  /** How many random scripts each property tries; a store with a round trip per call will want fewer. */
  readonly numRuns: number
}

/**
 * The guarantees of admission, for whichever store keeps them. The store gets a clock that only the suite advances; it
 * is shared by all the tests, each of which has its own tenants.
 */
export function describeAdmissionStore(
  name: string,
  create: (truth: AdmissionTruth, clock: ManualClock) => Promise<AdmissionStore>,
  { numRuns }: SuiteOptions = { numRuns: 400 },
): void {
  describe(`${name} admission`, () => {
    let bench: (Bench & { truth: LedgerOfTruth }) | undefined
    let tenantCount = 0

    beforeAll(async () => {
      const clock = new ManualClock(1_000)
      const truth = new LedgerOfTruth()
      const store = await create(truth, clock)
      bench = { clock, store, truth, newTenant: () => `tenant_${++tenantCount}` }
    })

    afterAll(async () => {
      await bench?.store.close()
    })

    function currentBench(): Bench & { truth: LedgerOfTruth } {
      if (bench === undefined) throw new Error('The store is created before the first test')
      return bench
    }

    declareExamples(currentBench)
    declareProperties(currentBench, numRuns)
    declareSpend(currentBench, numRuns)
  })
}
