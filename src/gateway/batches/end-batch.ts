import type { BatchStatus } from '../../db/index.js'
import { inTransaction } from '../../db/index.js'
import type { ApiError } from '../../errors.js'
import { toApiError } from '../../http/index.js'
import { type IssuedIds, type ReceiptDraft, unused } from '../../ledger/index.js'
import { insertFile, type SealedFile, updateLeased } from '../../modules/batches/index.js'
import { createTurnstile } from '../../turns.js'
import { type LineAnswer, writeAnswer, writeError } from './answers.js'
import { findBatchDialect } from './batch-dialect.js'
import { planLine } from './line-call.js'
import type { BatchLine } from './lines.js'
import type { BatchParts, OpenedBatch } from './opened-batch.js'
import { settleLine, settleUnseen } from './settle-line.js'

const atOnce = 8

/** Why lines without an answer have none. */
export interface Ending {
  status: Extract<BatchStatus, 'completed' | 'failed' | 'expired' | 'cancelled'>
  /** Of lines that the provider did not answer. */
  code: string
  message: string
  /** For whoever reads the batch; null where all went well. */
  error: string | null
  /** Nobody knows what the provider did: what was reserved stands. */
  isUnknown?: boolean
}

/**
 * Ends a batch: each line gets its receipt, then the caller its files. When a process dies in between, another does all of it again:
 * a line that has its receipt keeps it.
 */
export async function endBatch(
  batch: OpenedBatch,
  answers: ReadonlyMap<number, LineAnswer>,
  ending: Ending,
  parts: BatchParts,
): Promise<void> {
  const { row, owner } = batch
  const outputs = new Map<number, string>()
  const errors = new Map<number, string>()
  const inTurn = createTurnstile(atOnce)
  const numbers = batch.lines?.map(({ number }) => number)
  await Promise.all(
    row.call_ids.map((callId, at) =>
      inTurn(async () => {
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
          const written = await endAnswered(batch, line, callId, answered, parts)
          if (written) (written.isError ? errors : outputs).set(number, written.text)
        }
      }),
    ),
  )
  const canShow = batch.terms !== null
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
  ending: Ending,
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
    draft: ending.isUnknown ? draft : { ...unused(draft), ...ended },
  })
}

/** Null where nobody may see it. */
async function endAnswered(
  { row, open, terms, price }: OpenedBatch,
  line: BatchLine | null,
  callId: string,
  answered: LineAnswer,
  parts: BatchParts,
): Promise<{ isError: boolean; text: string } | null> {
  const opened = open.get(callId)
  const { tenant_id: tenantId } = row
  const record = async (facts: Partial<ReceiptDraft>, issued: IssuedIds | null = null) => {
    if (opened === undefined) return
    const { draft, commitmentKey } = opened
    // What is known to be used replaces all that was reserved, its tier as well.
    const before = facts.usage === undefined ? draft : unused(draft)
    const receipt = { tenantId, commitmentKey, draft: { ...before, ...facts } }
    await parts.ledger.append({ ...receipt, ...(issued && { issued }) })
  }
  if (line !== null && terms !== null) {
    // A line that has its receipt is only judged.
    const draft = opened?.draft ?? { id: callId, ts: '', kind: 'model', costNanos: Number.MAX_SAFE_INTEGER }
    try {
      const planned = await planLine(line, callId, terms, parts)
      const settled = await settleLine(planned, answered, draft, opened?.commitmentKey ?? null, parts)
      await record(settled.facts, settled.issued)
      settled.keepContent()
      return present(callId, line.customId, settled.shown)
    } catch (error) {
      const known = toApiError(error)
      if (known.status >= 500) throw error
      await record(settleUnseen(answered, terms.dialect, price, line.body))
      return { isError: true, text: writeError(callId, line.customId, known.type, known.message) }
    }
  }
  const dialect = findBatchDialect(row.endpoint)
  if (dialect) await record(settleUnseen(answered, dialect, price, line?.body ?? Buffer.from('{}')))
  return null
}

function present(
  callId: string,
  customId: string,
  shown: { status: number; body: Buffer } | { error: ApiError } | null,
): { isError: boolean; text: string } {
  if (shown === null || 'error' in shown) {
    const { type, message } = shown?.error ?? { type: 'upstream_error', message: 'There is no answer' }
    return { isError: true, text: writeError(callId, customId, type, message) }
  }
  const { status, body } = shown
  const text = writeAnswer({ callId, customId, status, body: body.toString().trim() })
  return { isError: status >= 400, text }
}

/** Null for no lines. */
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
