import { sql } from 'kysely'
import type { BatchStatus } from '../../db/index.js'
import type { Job, JobKind, JobResult } from '../../jobs/index.js'
import type { ProviderRefusal, UpstreamBatch } from '../../providers/index.js'
import { type BatchRow, batchJob, takeBatch, updateLeased } from '../../resources/batches/index.js'
import { ApiError } from '../../shared/errors.js'
import { type BatchEnding, endBatch } from './end-batch.js'
import { type LineAnswer, readAnswers } from './line-answers.js'
import { type BatchParts, type OpenedBatch, openBatch } from './opened-batch.js'
import { BatchRefused, sendBatch } from './send-batch.js'

// A batch without a result is given up before its reservations expire in the limit store.
const giveUpMs = 36 * 3_600_000
// When the provider does not list a batch after this long, it never received it.
const unsentMs = 10 * 60_000
const minWaitMs = 1_000
const maxWaitMs = 60_000

/** The job that moves batches from one stage to the next: send, poll, end. Any replica may run the next step. */
export function batchJobs(parts: BatchParts): JobKind {
  const { db, onError } = parts

  async function run(job: Job): Promise<JobResult> {
    const row = await takeBatch(db, job)
    if (row === null) return undefined
    let batch: OpenedBatch | null = null
    try {
      batch = await openBatch(row, parts)
      if (await takeStep(batch, parts)) return undefined
    } catch (error) {
      if (batch !== null && (await endIfUnrecoverable(batch, error, parts))) return undefined
      onError(error)
    }
    return { againAfterMs: waitMsOf(row) }
  }

  return {
    name: batchJob,
    concurrency: 1,
    // While a process is paused between two requests to the provider, no other process may send the batch again.
    leaseEnds: 'with-process',
    // A batch is given up by age, not by the number of failures.
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: { baseMs: minWaitMs, capMs: maxWaitMs },
    run,
    onError,
  }
}

/** Returns how long to wait before the next step. Older batches are polled less often. */
const waitMsOf = ({ created_at }: BatchRow): number =>
  Math.min(maxWaitMs, Math.max(minWaitMs, (Date.now() - created_at.getTime()) / 20))

const ageMsOf = ({ created_at }: BatchRow): number => Date.now() - created_at.getTime()

/** Ends the batch when the provider finally refused it or it is too old. Returns whether it ended. */
async function endIfUnrecoverable(batch: OpenedBatch, error: unknown, parts: BatchParts): Promise<boolean> {
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

/** Runs the next step of a batch. Returns true when it was the last one. */
async function takeStep(batch: OpenedBatch, parts: BatchParts): Promise<boolean> {
  const { row, settings, lines, batches } = batch
  const mustEnd = row.status === 'cancelling' || settings === null || lines === null
  if (mustEnd && row.sent_at === null) {
    await endBatch(batch, new Map(), cancelled, parts)
    return true
  }
  if (batches === null)
    throw new ApiError(
      'upstream_error',
      `The provider of the batch ${row.id} was deleted or does not support batches`,
    )
  if (row.upstream_id === null) {
    const sent = mustEnd ? await findSent(batch) : await sendBatch(batch, settings, lines, batches, parts)
    if (sent === 'nothing') {
      await endBatch(batch, new Map(), mustEnd ? cancelled : completed, parts)
      return true
    }
    if (sent !== null) await markSent(batch, sent, parts)
    return false
  }
  const found = await batches.read(row.credential_id, row.upstream_id)
  const ending = endings[found.status]
  if (ending !== undefined) {
    await updateLeased(parts.db, row, { status: 'finalizing', finalizing_at: new Date() })
    await endBatch(batch, await download(batch, found, parts), ending, parts)
    await removeFiles(batch, found, parts)
    return true
  }
  if (mustEnd && found.status !== 'cancelling') await batches.cancel(row.credential_id, row.upstream_id)
  const { completed: done, failed } = found
  await updateLeased(parts.db, row, { completed: done, failed: failed + batch.refused.length })
  return false
}

/** Finds out whether a batch reached the provider before it was cancelled or its process died. Null while that is not known. */
async function findSent({ row, batches }: OpenedBatch): Promise<UpstreamBatch | 'nothing' | null> {
  const found = await batches?.findByOwnId(row.credential_id, row.id)
  if (found) return found
  const sinceMs = Date.now() - (row.sent_at?.getTime() ?? 0)
  return sinceMs > unsentMs ? 'nothing' : null
}

async function markSent({ row }: OpenedBatch, sent: UpstreamBatch, { db }: BatchParts): Promise<void> {
  // A batch that was cancelled in the meantime stays cancelled.
  const status = sql<BatchStatus>`case when status = 'validating' then 'in_progress' else status end`
  await updateLeased(db, row, { status, upstream_id: sent.id, in_progress_at: new Date() })
}

async function download(
  { row, batches }: OpenedBatch,
  { outputFileId, errorFileId }: UpstreamBatch,
  { yieldToEventLoop }: BatchParts,
): Promise<Map<number, LineAnswer>> {
  const answers = new Map<number, LineAnswer>()
  for (const fileId of [outputFileId, errorFileId])
    if (fileId !== null && batches !== null)
      await readAnswers(await batches.download(row.credential_id, fileId), answers, yieldToEventLoop)
  return answers
}

/** Deletes the files at the provider. */
async function removeFiles(
  { row, batches }: OpenedBatch,
  { outputFileId, errorFileId }: UpstreamBatch,
  { onError }: BatchParts,
): Promise<void> {
  for (const fileId of [row.upstream_file_id, outputFileId, errorFileId])
    if (fileId !== null) await batches?.remove(row.credential_id, fileId).catch(onError)
}

const completed: BatchEnding = {
  ...{ status: 'completed', code: 'no_answer', error: null },
  message: 'The provider did not answer this line; it costs nothing',
}
const cancelled: BatchEnding = {
  ...{ status: 'cancelled', code: 'batch_cancelled', error: null },
  message: 'The batch was cancelled before this line was answered; it costs nothing',
}
const expired: BatchEnding = {
  ...{ status: 'expired', code: 'batch_expired', error: null },
  message: 'The batch expired before this line was answered; it costs nothing',
}
const failed: BatchEnding = {
  ...{ status: 'failed', code: 'batch_failed', error: 'The provider could not run the batch' },
  message: 'The provider could not run the batch; this line costs nothing',
}
const lost: BatchEnding = {
  ...{ status: 'failed', code: 'batch_lost', isUnknown: true },
  error: 'The provider did not report the result of the batch in time: the reserved cost counts as spent',
  message: 'The result of this line is not known: the reserved cost counts as spent',
}
const refusedBy = ({ status, message }: ProviderRefusal): BatchEnding => ({
  ...failed,
  error: `${message} when the batch was sent`,
  message: `The provider refused the batch (${status}); this line costs nothing`,
})

/** By the status that the provider reports for a batch that has ended. */
const endings: Readonly<Record<string, BatchEnding>> = { completed, failed, expired, cancelled }
