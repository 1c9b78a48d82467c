import { type Db, runTransaction, startPeriodic } from '../../../db/index.js'
import { noTags } from '../../../shared/tags.js'
import type { CountedCalls, Dimensions } from './counted-calls.js'
import { lockForCounting } from './fold.js'
import { addToTotals } from './totals.js'
import { addSum, emptySum } from './usage-sum.js'

/**
 * Counts calls refused by a rate limit. They leave no receipt, because a caller in a loop would fill the record
 * with them.
 */
export interface RateLimitedCounter {
  /** `at` is for calls that were refused at another time than now. */
  count(call: RefusedCall, at?: { ms: number; calls: number }): void
  close(): Promise<void>
}

/** Tags are left out: a caller in a loop could send a new one with every call and fill the rollup. */
export type RefusedCall = Omit<Dimensions, 'outcome' | 'tags'>

const flushIntervalMs = 1_000
// While the database cannot be written, each key has a row for every minute and model.
const maxPending = 50_000

export function createRateLimitedCounter(options: {
  db: Db
  onError(error: unknown): void
}): RateLimitedCounter {
  const { db, onError } = options
  // Bounded: 50,000; calls beyond that while nothing can be written are counted as missing, and logged.
  let pending = new Map<string, CountedCalls>()
  let lost = 0

  function add(name: string, { at, dimensions, sum }: CountedCalls): void {
    if (pending.size >= maxPending && !pending.has(name)) {
      lost += sum.rateLimited
      return
    }
    const counted = pending.get(name) ?? { at, dimensions, sum: emptySum() }
    pending.set(name, counted)
    addSum(counted.sum, sum)
  }

  async function flush(): Promise<void> {
    const flushing = pending
    // Bounded: 50,000; calls beyond that while nothing can be written are counted as missing, and logged.
    pending = new Map()
    try {
      const counted = [...flushing.values()]
      const tenantIds = [...new Set(counted.map(({ dimensions }) => dimensions.tenantId))]
      await runTransaction(db, [lockForCounting(tenantIds), ...addToTotals(counted)])
    } catch (error) {
      // The next flush writes them again. If the connection broke during the commit, they are counted twice: there is
      // no receipt to compare with, and a few too many refusals mislead less than an outage without any.
      for (const [name, counted] of flushing) add(name, counted)
      throw error
    }
    if (lost === 0) return
    onError(
      new Error(
        `${lost} refused calls are missing from the usage: the buffer was full while the database was unavailable`,
      ),
    )
    lost = 0
  }
  const { resume, close } = startPeriodic({
    run: flush,
    everyMs: flushIntervalMs,
    isIdle: () => pending.size === 0,
    endsWithRun: true,
    onError,
  })

  return {
    count(
      { tenantId, keyId, userId, teamId, provider, model },
      { ms, calls } = { ms: Date.now(), calls: 1 },
    ) {
      const dimensions = { tenantId, keyId, userId, teamId, provider, model, outcome: null, tags: noTags }
      const at = `${new Date(ms).toISOString().slice(0, 16)}:00.000Z`
      const name = JSON.stringify([at, dimensions])
      add(name, { at, dimensions, sum: { ...emptySum(), rateLimited: calls } })
      resume()
    },
    close,
  }
}
