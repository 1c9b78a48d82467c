import { sql } from 'kysely'
import { type BatchStatus, type Periodic, startPeriodic } from '../../db/index.js'
import { ApiError } from '../../errors.js'
import { type BatchRow, leaseBatch, returnBatch, updateLeased } from '../../modules/batches/index.js'
import type { ProviderRefusal, UpstreamBatch } from '../../providers/index.js'
import { type LineAnswer, readAnswers } from './answers.js'
import { type Ending, endBatch } from './end-batch.js'
import { type BatchParts, type OpenedBatch, openBatch } from './opened-batch.js'
import { BatchRefused, sendBatch } from './send-batch.js'

export interface BatchWorkerOptions extends BatchParts {
  processId: string
  /** How often it looks for batches that are due. */
  everyMs?: number
}

// Shorter than what the limits keep a reservation for.
const giveUpMs = 36 * 3_600_000
// A batch that the provider cannot be found to have after this long was never made.
const unsentMs = 10 * 60_000
const minWaitMs = 1_000
const maxWaitMs = 60_000

/** Takes batches from one stage to the next: sends them, asks what became of them, and ends them. Any replica may take the next step. */
export function startBatchWorker(options: BatchWorkerOptions): Periodic {
  const { db, processId, everyMs = 2_000, onError } = options

  async function lookAt(leased: BatchRow): Promise<void> {
    let batch: OpenedBatch | null = null
    try {
      batch = await openBatch(leased, options)
      await takeStep(batch, options)
    } catch (error) {
      if (batch === null || !(await endIfHopeless(batch, error, options))) onError(error)
    } finally {
      await returnBatch(db, leased, waitMsOf(leased)).catch(onError)
    }
  }

  async function run(): Promise<void> {
    for (let leased = await leaseBatch(db, processId); leased; leased = await leaseBatch(db, processId))
      await lookAt(leased)
  }

  return startPeriodic({ run, everyMs, startsAtOnce: true, onError })
}

/** The longer a batch takes, the less often it is asked for. */
const waitMsOf = ({ created_at }: BatchRow): number =>
  Math.min(maxWaitMs, Math.max(minWaitMs, (Date.now() - created_at.getTime()) / 20))

const ageMsOf = ({ created_at }: BatchRow): number => Date.now() - created_at.getTime()

/** A refusal that no later try would change ends the batch; so does time. */
async function endIfHopeless(batch: OpenedBatch, error: unknown, parts: BatchParts): Promise<boolean> {
  const { row } = batch
  const isTooOld = ageMsOf(row) > giveUpMs
  const refusal = error instanceof BatchRefused ? error.refusal : null
  if (!isTooOld && refusal === null) return false
  try {
    await endBatch(batch, new Map(), refusal === null ? lost : refusedBy(refusal), parts)
    return true
  } catch (cause) {
    parts.onError(cause)
    return false
  }
}

async function takeStep(batch: OpenedBatch, parts: BatchParts): Promise<void> {
  const { row, terms, lines, batches } = batch
  const mustEnd = row.status === 'cancelling' || terms === null || lines === null
  if (mustEnd && row.sent_at === null) {
    await endBatch(batch, new Map(), cancelled, parts)
    return
  }
  if (batches === null)
    throw new ApiError(
      'upstream_error',
      `The provider of the batch ${row.id} is not there, or takes no batches`,
    )
  if (row.upstream_id === null) {
    const sent = mustEnd ? await findSent(batch) : await sendBatch(batch, terms, lines, batches, parts)
    if (sent === 'nothing') {
      const ending = mustEnd ? cancelled : completed
      await endBatch(batch, new Map(), ending, parts)
    } else if (sent !== null) await noteSent(batch, sent, parts)
    return
  }
  const found = await batches.read(row.credential_id, row.upstream_id)
  const ending = endings[found.status]
  if (ending !== undefined) {
    await updateLeased(parts.db, row, { status: 'finalizing', finalizing_at: new Date() })
    await endBatch(batch, await download(batch, found, parts), ending, parts)
    await removeFiles(batch, found, parts)
    return
  }
  if (mustEnd && found.status !== 'cancelling') await batches.cancel(row.credential_id, row.upstream_id)
  const { completed: done, failed } = found
  await updateLeased(parts.db, row, { completed: done, failed: failed + batch.refused.length })
}

/** It was about to be sent when it was cancelled, or its process died. Null: not known yet. */
async function findSent({ row, batches }: OpenedBatch): Promise<UpstreamBatch | 'nothing' | null> {
  const found = await batches?.findByOwnId(row.credential_id, row.id)
  if (found) return found
  const sinceMs = Date.now() - (row.sent_at?.getTime() ?? 0)
  return sinceMs > unsentMs ? 'nothing' : null
}

async function noteSent({ row }: OpenedBatch, sent: UpstreamBatch, { db }: BatchParts): Promise<void> {
  // One that was cancelled meanwhile stays so.
  const status = sql<BatchStatus>`case when status = 'validating' then 'in_progress' else status end`
  await updateLeased(db, row, { status, upstream_id: sent.id, in_progress_at: new Date() })
}

async function download(
  { row, batches }: OpenedBatch,
  { outputFileId, errorFileId }: UpstreamBatch,
  { waitForTurn }: BatchParts,
): Promise<Map<number, LineAnswer>> {
  const answers = new Map<number, LineAnswer>()
  for (const fileId of [outputFileId, errorFileId])
    if (fileId !== null && batches !== null)
      await readAnswers(await batches.download(row.credential_id, fileId), answers, waitForTurn)
  return answers
}

/** What the provider keeps of it is of no use any more. */
async function removeFiles(
  { row, batches }: OpenedBatch,
  { outputFileId, errorFileId }: UpstreamBatch,
  { onError }: BatchParts,
): Promise<void> {
  for (const fileId of [row.upstream_file_id, outputFileId, errorFileId])
    if (fileId !== null) await batches?.remove(row.credential_id, fileId).catch(onError)
}

const completed: Ending = {
  ...{ status: 'completed', code: 'no_answer', error: null },
  message: 'The provider did not answer this line; it costs nothing',
}
const cancelled: Ending = {
  ...{ status: 'cancelled', code: 'batch_cancelled', error: null },
  message: 'The batch was cancelled before this line was answered; it costs nothing',
}
const expired: Ending = {
  ...{ status: 'expired', code: 'batch_expired', error: null },
  message: 'The batch expired before this line was answered; it costs nothing',
}
const failed: Ending = {
  ...{ status: 'failed', code: 'batch_failed', error: 'The provider could not run the batch' },
  message: 'The provider could not run the batch; this line costs nothing',
}
const lost: Ending = {
  ...{ status: 'failed', code: 'batch_lost', isUnknown: true },
  error:
    'The provider did not say in time what became of the batch: what was reserved for it counts as spent',
  message: 'What became of this line is not known: what was reserved for it counts as spent',
}
const refusedBy = ({ status, message }: ProviderRefusal): Ending => ({
  ...failed,
  error: `${message} when the batch was sent`,
  message: `The provider refused the batch (${status}); this line costs nothing`,
})

/** By the provider's words for a batch that is over. */
const endings: Readonly<Record<string, Ending>> = { completed, failed, expired, cancelled }
