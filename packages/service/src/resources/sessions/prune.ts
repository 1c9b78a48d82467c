import { type Db, type Periodic, startPeriodic } from '../../db/index.js'
import { deleteOldSessions } from './store.js'

const intervalMs = 3_600_000

/** Deletes the rows of expired sessions, which are refused anyway. */
export const startPruningSessions = ({ db, onError }: { db: Db; onError(error: unknown): void }): Periodic =>
  startPeriodic({ run: () => deleteOldSessions(db), everyMs: intervalMs, startsAtOnce: true, onError })
