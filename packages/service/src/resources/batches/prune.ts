import { type Db, type Periodic, startPeriodic } from '../../db/index.js'
import { deleteOldBatches } from './store.js'

const intervalMs = 600_000

export const startPruningBatches = ({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic =>
  startPeriodic({ run: () => deleteOldBatches(db), everyMs: intervalMs, startsAtOnce: true, onError })
