import { type Db, type Periodic, startPeriodic } from '../../../db/index.js'
import { deleteExpiredIdempotentCalls } from './store.js'

const intervalMs = 600_000

export function startPruningIdempotentCalls({
  db,
  onError,
}: {
  db: Db
  onError(error: unknown): void
}): Periodic {
  const run = async () => {
    while (await deleteExpiredIdempotentCalls(db));
  }
  return startPeriodic({ run, everyMs: intervalMs, startsAtOnce: true, onError })
}
