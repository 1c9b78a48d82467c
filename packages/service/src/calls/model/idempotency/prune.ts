import { type Db, type Periodic, startPeriodic } from '../../../db/index.js'
import { deleteOldClaims } from './store.js'

const intervalMs = 600_000

export function startPruningClaims({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic {
  const run = async () => {
    while (await deleteOldClaims(db));
  }
  return startPeriodic({ run, everyMs: intervalMs, startsAtOnce: true, onError })
}
