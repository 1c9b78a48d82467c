import { type Db, type Periodic, startPeriodic } from '../../db/index.js'
import { deleteOldCallerSessions } from './caller-sessions.js'
import { deleteOldMessages } from './messages.js'
import { deleteOldUpstreamSessions } from './upstream-sessions.js'

const intervalMs = 5 * 60_000

export const startPruningMcpMessages = (options: { db: Db; onError(error: unknown): void }): Periodic =>
  startPeriodic({
    async run() {
      await deleteOldMessages(options.db)
      await deleteOldCallerSessions(options.db)
      await deleteOldUpstreamSessions(options.db)
    },
    everyMs: intervalMs,
    startsAtOnce: true,
    onError: options.onError,
  })
