import { type Db, type PeriodicUnlessIdle, startPeriodic } from '../../db/index.js'
import type { Ledger } from '../write/writer.js'
import { deleteRecorded, readOpenCalls } from './interrupted.js'
import type { OpenCalls } from './open-calls.js'

export interface ForgottenCallsOptions {
  db: Db
  processId: string
  openCalls: Pick<OpenCalls, 'isOpen' | 'onReconnected'>
  ledger: Pick<Ledger, 'append' | 'faultOf'>
  marks: { onAccepted(listener: (tenantId: string) => void): void }
  /** Called with how many calls were recorded. */
  onRecorded(calls: number): void
  onError(error: unknown): void
  everyMs?: number
}

/**
 * Records calls that the database has as open, although this process has ended them. A database that lost its last commits, in a failover
 * or a restore, has such calls: their receipts are lost, and what they reserved would stay reserved for as long as this process lives.
 * They are recorded as interrupted, as those of a dead process are. Looks only after the connection was lost or a restore was accepted.
 */
export function startRecordingForgotten(options: ForgottenCallsOptions): PeriodicUnlessIdle {
  const { db, processId, openCalls, ledger, marks, onRecorded, onError, everyMs = 2_000 } = options
  let isDue = false

  async function recordForgotten(): Promise<void> {
    isDue = false
    const isForgotten = (id: string, tenantId: string) =>
      !openCalls.isOpen(id) && ledger.faultOf(tenantId) === null
    const read = async () =>
      (await readOpenCalls(db, { processId })).filter(({ draft, tenantId }) =>
        isForgotten(draft.id, tenantId),
      )
    const found = new Set((await read()).map(({ draft }) => draft.id))
    if (found.size === 0) return
    // A call that ended during the first look is gone in the second.
    const forgotten = (await read()).filter(({ draft }) => found.has(draft.id))
    await Promise.all(forgotten.map((receipt) => ledger.append(receipt)))
    await deleteRecorded(db, [...found])
    if (forgotten.length > 0) onRecorded(forgotten.length)
  }

  const loop = startPeriodic({
    async run() {
      try {
        await recordForgotten()
      } catch (error) {
        isDue = true
        throw error
      }
    },
    everyMs,
    isIdle: () => !isDue,
    onError,
  })
  const look = () => {
    isDue = true
    loop.resume()
  }
  openCalls.onReconnected(look)
  marks.onAccepted(look)
  return loop
}
