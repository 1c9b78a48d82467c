import { sql } from 'kysely'
import type { Database, Db } from '../../db/index.js'
import { describeDatabaseFault, hungDatabase } from './database-fault.js'
import type { Finding } from './finding.js'
import type { Observation } from './observe.js'

export interface DatabaseState {
  isReadOnly: boolean
  /** How far the clock of this machine is ahead of that of the database; negative when it is behind. */
  clockAheadMs: number
}

/** Asks the database for its state, in one query that reads no table. */
export async function readDatabaseState(db: Db): Promise<DatabaseState> {
  const beforeMs = Date.now()
  const { rows } = await sql<{ isReadOnly: boolean; nowMs: number }>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly",
      extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"`.execute(db)
  const afterMs = Date.now()
  const { isReadOnly = false, nowMs = beforeMs } = rows[0] ?? {}
  // The answer was made at some time in between.
  const clockAheadMs = nowMs < beforeMs ? beforeMs - nowMs : nowMs > afterMs ? afterMs - nowMs : 0
  return { isReadOnly, clockAheadMs }
}

export interface DatabaseParts {
  observation: Observation<DatabaseState>
  storage: { fault(): string | null } & Pick<Database, 'connections' | 'connectFault'>
  /** The error of the last heartbeat, which writes a row every few seconds, or of the record. Null when both could be written. */
  writeFault: unknown
  servingLock: { isHeld(): boolean }
  /** Whether receipts and open calls can be written on connections of their own. */
  isRecording: boolean
}

/** Finds why the database cannot be used. Only the most exact reason is returned, since the others follow from it. */
export function checkDatabase(parts: DatabaseParts): Finding[] {
  const { observation, storage, writeFault, servingLock, isRecording } = parts
  const embedded = storage.fault()
  if (embedded !== null) return [{ cause: 'database_unreachable', message: embedded }]
  const connectFault = storage.connectFault()
  if ('overdue' in observation)
    return [connectFault === null ? hungDatabase : describeDatabaseFault(connectFault)]
  if ('failed' in observation) {
    const finding = describeDatabaseFault(observation.failed)
    return [isRecording && finding.cause === 'database_exhausted' ? whileRecording(finding) : finding]
  }
  if (connectFault !== null) {
    const finding = describeDatabaseFault(connectFault)
    return [isRecording ? whileRecording(finding) : finding]
  }
  if (observation.seen.isReadOnly) return [describeDatabaseFault(readOnly)]
  if (writeFault !== null) return [describeDatabaseFault(writeFault)]
  if (!servingLock.isHeld())
    return [
      {
        cause: 'serving_lock_lost',
        message:
          'Another process may be serving this database: the serving lock was lost, and is acquired again as soon as it is free',
      },
    ]
  return []
}

/** Calls have connections of their own, which still work. */
const whileRecording = (finding: Finding): Finding => ({
  ...finding,
  state: 'degraded',
  message: `No further connection can be opened; calls go on with those that are open. ${finding.message}`,
})

const readOnly = Object.assign(new Error(), { code: '25006' })
