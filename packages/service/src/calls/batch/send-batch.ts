import { toApiError } from '../../http/index.js'
import { type ProviderBatches, ProviderRefusal, type UpstreamBatch } from '../../providers/index.js'
import { type EntryCheck, withoutUsage } from '../../record/index.js'
import { type OpenLine, type RefusedLine, updateLeased } from '../../resources/batches/index.js'
import type { ApiError } from '../../shared/errors.js'
import { createSemaphore } from '../../shared/semaphore.js'
import { upstreamLineId } from './line-answers.js'
import { createLineKind, judgeLine, type LineKind } from './line-kind.js'
import type { BatchParts, OpenedBatch } from './opened-batch.js'
import { type BatchSettings, planLine } from './plan-line.js'
import type { BatchLine } from './read-lines.js'

const maxConcurrent = 8

/** The result of sending a batch. `nothing` means that every line was refused. */
export type Sent = UpstreamBatch | 'nothing'

/**
 * Judges each line and sends the permitted ones to the provider. When this is repeated after a process died, a batch that the provider
 * already has is found by our id and not sent twice.
 */
export async function sendBatch(
  batch: OpenedBatch,
  settings: BatchSettings,
  lines: readonly BatchLine[],
  batches: ProviderBatches,
  parts: BatchParts,
): Promise<Sent> {
  const { row } = batch
  const known = row.sent_at === null ? null : await batches.findByOwnId(row.credential_id, row.id)
  if (known !== null) return known
  const bodies = await judgeLines(batch, settings, lines, parts)
  if (bodies.length === 0) return 'nothing'
  const account = row.sent_at === null ? batches.pickCredential() : row.credential_id
  // A file that was uploaded earlier may contain lines that are refused now.
  if (row.upstream_file_id !== null) await batches.remove(account, row.upstream_file_id).catch(parts.onError)
  const fileId = await orRefused(batches.upload(account, writeFile(bodies, row.endpoint)))
  const sent = { credential_id: account, upstream_file_id: fileId, sent_at: new Date() }
  if (!(await updateLeased(parts.db, row, sent))) throw new Error('another process has the batch')
  Object.assign(row, sent)
  return await orRefused(batches.create(account, { fileId, endpoint: row.endpoint, ownId: row.id }))
}

/** Thrown when the provider refuses the batch and a retry would not help. */
export class BatchRefused extends Error {
  constructor(readonly refusal: ProviderRefusal) {
    super(refusal.message, { cause: refusal })
    this.name = 'BatchRefused'
  }
}

async function orRefused<T>(asked: Promise<T>): Promise<T> {
  return await asked.catch((error: unknown) => {
    throw error instanceof ProviderRefusal && !error.isTransient ? new BatchRefused(error) : error
  })
}

interface OutgoingLine {
  line: number
  body: Buffer
}

/** Returns the lines to send, in the form in which they are sent. Writes the receipts of the refused ones. */
async function judgeLines(
  batch: OpenedBatch,
  settings: BatchSettings,
  lines: readonly BatchLine[],
  parts: BatchParts,
): Promise<OutgoingLine[]> {
  const { row, open } = batch
  const kind = createLineKind(parts)
  const outgoing: OutgoingLine[] = []
  const refused = new Map(batch.refused.map((each) => [each.line, each]))
  const endings: (() => Promise<unknown>)[] = []
  const limitConcurrency = createSemaphore(maxConcurrent)

  async function judge(line: BatchLine, at: number): Promise<void> {
    const callId = row.call_ids[at] ?? ''
    const opened = open.get(callId)
    // A line without an open call was refused earlier and has its receipt.
    if (opened === undefined) return
    const { draft, commitmentKey } = opened
    const { refusal, body, checks, policies } = await judgeOpen(line, callId, opened, settings, kind, parts)
    if (refusal === null) {
      outgoing.push({ line: line.number, body })
      refused.delete(line.number)
      return
    }
    refused.set(line.number, describe(line.number, refusal))
    const ended = {
      outcome: 'blocked' as const,
      status: refusal.status,
      checks,
      ...(policies && { policies }),
    }
    endings.push(() =>
      parts.ledger.append({
        tenantId: row.tenant_id,
        commitmentKey,
        draft: { ...withoutUsage(draft), ...ended },
      }),
    )
  }

  await Promise.all(lines.map((line, at) => limitConcurrency(() => judge(line, at))))
  batch.refused = [...refused.values()].sort((a, b) => a.line - b.line)
  if (endings.length > 0) {
    // Stored before the receipts, so that the caller learns of every line that is finally refused.
    const sealed = await parts.seals.sealRefused(row, batch.refused)
    if (!(await updateLeased(parts.db, row, { refused: sealed })))
      throw new Error('another process has the batch')
    for (const end of endings) await end()
  }
  return outgoing.sort((a, b) => a.line - b.line)
}

async function judgeOpen(
  line: BatchLine,
  callId: string,
  opened: OpenLine,
  settings: BatchSettings,
  kind: LineKind,
  parts: BatchParts,
): Promise<{ refusal: ApiError | null; body: Buffer; checks: EntryCheck[]; policies: string | null }> {
  try {
    const planned = await planLine(line, callId, settings, parts)
    const reservedNanos = opened.draft.costNanos ?? 0
    const { refusal, attempt, checks } = await judgeLine(planned, { line: opened, reservedNanos }, kind)
    return { refusal, body: attempt.grant.body, checks: checks(), policies: attempt.plan.policies }
  } catch (error) {
    // An error of the line is reported to the caller. An error of this service is retried.
    const known = toApiError(error)
    if (known.status >= 500) throw error
    return { refusal: known, body: line.body, checks: opened.draft.checks ?? [], policies: null }
  }
}

const describe = (line: number, { type, message }: ApiError): RefusedLine => ({
  line,
  code: type,
  message,
})

function writeFile(lines: readonly OutgoingLine[], endpoint: string): Buffer {
  const url = JSON.stringify(endpoint)
  return Buffer.concat(
    lines.flatMap(({ line, body }) => [
      Buffer.from(`{"custom_id":"${upstreamLineId(line)}","method":"POST","url":${url},"body":`),
      oneLine(body),
      Buffer.from('}\n'),
    ]),
  )
}

/** Replaces line breaks between members by blanks. Strings in JSON contain none. */
function oneLine(body: Buffer): Buffer {
  if (!body.includes(0x0a) && !body.includes(0x0d)) return body
  const copy = Buffer.from(body)
  for (let at = 0; at < copy.length; at++) if (copy[at] === 0x0a || copy[at] === 0x0d) copy[at] = 0x20
  return copy
}
