import type { BatchStatus } from '../../db/index.js'
import { inTransaction } from '../../db/index.js'
import { toApiError } from '../../http/index.js'
import type { Endpoint } from '../../providers/index.js'
import { withoutUsage } from '../../record/index.js'
import { insertFile, type SealedFile, updateLeased } from '../../resources/batches/index.js'
import { createSemaphore } from '../../shared/semaphore.js'
import { findBatchEndpoint } from './batch-endpoints.js'
import { type LineAnswer, writeAnswer, writeError } from './line-answers.js'
import type { LineCaller } from './line-attempt.js'
import { createLineKind, type LineKind } from './line-kind.js'
import { writeUnseenReceipt } from './line-receipt.js'
import type { BatchParts, OpenedBatch } from './opened-batch.js'
import { planLine } from './plan-line.js'
import type { BatchLine } from './read-lines.js'
import { settleLine } from './settle-line.js'

const maxConcurrent = 8

/** How a batch ended, and why lines without an answer have none. */
export interface BatchEnding {
  status: Extract<BatchStatus, 'completed' | 'failed' | 'expired' | 'cancelled'>
  /** The error code of lines that the provider did not answer. */
  code: string
  message: string
  /** The error of the batch as a whole. Null when there was none. */
  error: string | null
  /** Whether it is unknown what the provider did. The reserved cost is recorded then. */
  isUnknown?: boolean
}

/**
 * Ends a batch: writes a receipt for each line, then the files for the caller. When the process dies in between, another repeats
 * everything, and lines that already have a receipt keep it.
 */
export async function endBatch(
  batch: OpenedBatch,
  answers: ReadonlyMap<number, LineAnswer>,
  ending: BatchEnding,
  parts: BatchParts,
): Promise<void> {
  const { row, owner } = batch
  const kind = createLineKind(parts)
  const outputs = new Map<number, string>()
  const errors = new Map<number, string>()
  const limitConcurrency = createSemaphore(maxConcurrent)
  const numbers = batch.lines?.map(({ number }) => number)
  await Promise.all(
    row.call_ids.map((callId, at) =>
      limitConcurrency(async () => {
        const number = numbers?.[at] ?? lineOf(batch, callId)
        const line = batch.lines?.[at] ?? null
        const answered = answers.get(number)
        const refused = batch.refused.find((each) => each.line === number)
        const customId = line?.customId ?? ''
        if (refused) {
          await endUnanswered(batch, callId, ending, parts)
          errors.set(number, writeError(callId, customId, refused.code, refused.message))
        } else if (answered === undefined) {
          await endUnanswered(batch, callId, ending, parts)
          errors.set(number, writeError(callId, customId, ending.code, ending.message))
        } else {
          const written = await endAnswered(batch, line, callId, answered, kind, parts)
          if (written) (written.isError ? errors : outputs).set(number, written.text)
        }
      }),
    ),
  )
  const canShow = batch.settings !== null
  const made = {
    output: canShow ? await sealFile(batch, 'output', outputs, parts) : null,
    error: canShow ? await sealFile(batch, 'errors', errors, parts) : null,
  }
  const erasedTo = await parts.erasedTo(owner.tenantId)
  await inTransaction(parts.db, async (tx) => {
    const isStored = async (file: SealedFile | null) =>
      file !== null && (await insertFile(tx, file, erasedTo))
    const ended = {
      status: ending.status,
      error: ending.error,
      completed: outputs.size,
      failed: errors.size,
      output_file_id: (await isStored(made.output)) ? (made.output?.record.id ?? null) : null,
      error_file_id: (await isStored(made.error)) ? (made.error?.record.id ?? null) : null,
      ended_at: new Date(),
    }
    if (!(await updateLeased(tx, row, ended))) throw new Error('another process has the batch')
  })
}

const lineOf = ({ open }: OpenedBatch, callId: string): number => open.get(callId)?.draft.line ?? 0

async function endUnanswered(
  { row, open }: OpenedBatch,
  callId: string,
  ending: BatchEnding,
  { ledger }: BatchParts,
): Promise<void> {
  const opened = open.get(callId)
  if (opened === undefined) return
  const { draft, commitmentKey } = opened
  const isCancelled = ending.status === 'cancelled'
  const ended = isCancelled
    ? { outcome: 'aborted' as const, status: 499 }
    : { outcome: 'upstream_error' as const, status: 502 }
  await ledger.append({
    tenantId: row.tenant_id,
    commitmentKey,
    draft: ending.isUnknown ? draft : { ...withoutUsage(draft), ...ended },
  })
}

/** Returns null when nobody may see the answer. */
async function endAnswered(
  { row, open, settings, price }: OpenedBatch,
  line: BatchLine | null,
  callId: string,
  answered: LineAnswer,
  kind: LineKind,
  parts: BatchParts,
): Promise<{ isError: boolean; text: string } | null> {
  const opened = open.get(callId) ?? null
  const recordUnseen = async (endpoint: Endpoint, body: Buffer) => {
    if (opened === null) return
    const { draft, commitmentKey } = opened
    const { tenant_id: tenantId } = row
    const unseen = writeUnseenReceipt(draft, answered, endpoint, price, body)
    await parts.ledger.append({ tenantId, commitmentKey, draft: unseen })
  }
  if (line !== null && settings !== null) {
    try {
      const planned = await planLine(line, callId, settings, parts)
      // The line was sent, so its actual cost is counted, even above the reservation.
      const resumed = { line: opened, reservedNanos: Number.MAX_SAFE_INTEGER }
      return present(callId, line.customId, await settleLine(planned, answered, resumed, kind, parts))
    } catch (error) {
      const known = toApiError(error)
      if (known.status >= 500) throw error
      await recordUnseen(settings.endpoint, line.body)
      return { isError: true, text: writeError(callId, line.customId, known.type, known.message) }
    }
  }
  const endpoint = findBatchEndpoint(row.endpoint)
  if (endpoint) await recordUnseen(endpoint, line?.body ?? Buffer.from('{}'))
  return null
}

function present(
  callId: string,
  customId: string,
  shown: LineCaller['answer'],
): { isError: boolean; text: string } {
  if (shown === null || 'error' in shown) {
    const { type, message } = shown?.error ?? { type: 'upstream_error', message: 'There is no answer' }
    return { isError: true, text: writeError(callId, customId, type, message) }
  }
  const { status, body } = shown
  const text = writeAnswer({ callId, customId, status, body: body.toString().trim() })
  return { isError: status >= 400, text }
}

/** Returns null when there are no lines. */
async function sealFile(
  { row, owner }: OpenedBatch,
  what: 'output' | 'errors',
  lines: ReadonlyMap<number, string>,
  { files }: BatchParts,
): Promise<SealedFile | null> {
  if (lines.size === 0) return null
  const texts = [...lines].sort(([a], [b]) => a - b).map(([, text]) => text)
  const content = Buffer.from(texts.join(''))
  return await files.seal(owner, { purpose: 'batch_output', name: `${row.id}_${what}.jsonl`, content })
}
