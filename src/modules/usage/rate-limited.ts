import { CompiledQuery } from 'kysely'
import { type Db, inTransaction, startPeriodic } from '../../db/index.js'
import { addToRollups, type CountedCalls, type Dimensions } from './rollup.js'
import { emptySum } from './usage-sum.js'

/** Counts calls refused by a rate limit. They leave no receipt: a caller in a loop would fill the record with them. */
export interface RateLimitedCounter {
  count(call: Dimensions): void
  close(): Promise<void>
}

const flushIntervalMs = 1_000

export function createRateLimitedCounter(options: {
  db: Db
  onError(error: unknown): void
}): RateLimitedCounter {
  const { db, onError } = options
  let pending = new Map<string, CountedCalls>()

  async function flush(): Promise<void> {
    if (pending.size === 0) return
    const statements = addToRollups([...pending.values()])
    pending = new Map()
    await inTransaction(db, async (tx) => {
      for (const { text, values } of statements) await tx.executeQuery(CompiledQuery.raw(text, values))
    })
  }
  const { close } = startPeriodic({ run: flush, everyMs: flushIntervalMs, endsWithRun: true, onError })

  return {
    count({ tenantId, keyId, userId, teamId, provider, model }) {
      const dimensions = { tenantId, keyId, userId, teamId, provider, model }
      const at = `${new Date().toISOString().slice(0, 16)}:00.000Z`
      const name = JSON.stringify([at, dimensions])
      const counted = pending.get(name) ?? { at, dimensions, sum: emptySum() }
      pending.set(name, counted)
      counted.sum.rateLimited++
    },
    close,
  }
}
