import { type Db, type Periodic, startPeriodic } from '../../db/index.js'
import { deleteOldAnswers } from './store.js'

const intervalMs = 3_600_000

export function startPruningAnswers({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic {
  return startPeriodic({ run: () => deleteOldAnswers(db), everyMs: intervalMs, startsAtOnce: true, onError })
}
