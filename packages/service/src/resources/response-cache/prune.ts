import { type Db, type Periodic, startPeriodic } from '../../db/index.js'
import { deleteExpired } from './store.js'

const intervalMs = 60_000

export function startPruningCachedAnswers({
  db,
  onError,
}: {
  db: Db
  onError(error: unknown): void
}): Periodic {
  const run = async () => {
    while (await deleteExpired(db));
  }
  return startPeriodic({ run, everyMs: intervalMs, startsAtOnce: true, onError })
}
