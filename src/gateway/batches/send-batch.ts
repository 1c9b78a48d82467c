import type { ApiError } from '../../errors.js'
import { toApiError } from '../../http/index.js'
import { type EntryCheck, type ReceiptDraft, unused } from '../../ledger/index.js'
import { type RefusedLine, updateLeased } from '../../modules/batches/index.js'
import { type ProviderBatches, ProviderRefusal, type UpstreamBatch } from '../../providers/index.js'
import { createTurnstile } from '../../turns.js'
import { upstreamLineId } from './answers.js'
import { judgeLine } from './judge-line.js'
import { type BatchTerms, planLine } from './line-call.js'
import type { BatchLine } from './lines.js'
import type { BatchParts, OpenedBatch } from './opened-batch.js'

const atOnce = 8

/** How sending a batch ended. `nothing`: no line may go out. */
export type Sent = UpstreamBatch | 'nothing'

/**
 * Judges each line, and hands those that may go out to the provider. Called again after a process died in the middle: what the provider
 * has already is found there by our id of the batch, and not sent twice.
 */
export async function sendBatch(
  batch: OpenedBatch,
  terms: BatchTerms,
  lines: readonly BatchLine[],
  batches: ProviderBatches,
  parts: BatchParts,
): Promise<Sent> {
  const { row } = batch
  const known = row.sent_at === null ? null : await batches.findByOwnId(row.credential_id, row.id)
  if (known !== null) return known
  const bodies = await judgeLines(batch, terms, lines, parts)
  if (bodies.length === 0) return 'nothing'
  const account = row.sent_at === null ? batches.pickCredential() : row.credential_id
  // An earlier upload may have lines that are refused by now.
  if (row.upstream_file_id !== null) await batches.remove(account, row.upstream_file_id).catch(parts.onError)
  const fileId = await orRefused(batches.upload(account, writeFile(bodies, row.endpoint)))
  const sent = { credential_id: account, upstream_file_id: fileId, sent_at: new Date() }
  if (!(await updateLeased(parts.db, row, sent))) throw new Error('another process has the batch')
  Object.assign(row, sent)
  return await orRefused(batches.create(account, { fileId, endpoint: row.endpoint, ownId: row.id }))
}

/** The provider does not have the batch, and will not take it. */
export class BatchRefused extends Error {
  constructor(readonly refusal: ProviderRefusal) {
    super(refusal.message, { cause: refusal })
    this.name = 'BatchRefused'
  }
}

async function orRefused<T>(asked: Promise<T>): Promise<T> {
  return await asked.catch((error: unknown) => {
    throw error instanceof ProviderRefusal && !error.isPassing ? new BatchRefused(error) : error
  })
}

interface OutgoingLine {
  line: number
  body: Buffer
}

/** Those that may go out, as they go out. The others get their receipts here. */
async function judgeLines(
  batch: OpenedBatch,
  terms: BatchTerms,
  lines: readonly BatchLine[],
  parts: BatchParts,
): Promise<OutgoingLine[]> {
  const { row, open } = batch
  const outgoing: OutgoingLine[] = []
  const refused = new Map(batch.refused.map((each) => [each.line, each]))
  const endings: (() => Promise<unknown>)[] = []
  const inTurn = createTurnstile(atOnce)

  async function judge(line: BatchLine, at: number): Promise<void> {
    const callId = row.call_ids[at] ?? ''
    const opened = open.get(callId)
    // It has its receipt: it was refused before.
    if (opened === undefined) return
    const { draft, commitmentKey } = opened
    const { refusal, body, checks, policies } = await judgeOpen(line, callId, draft, terms, parts)
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
        draft: { ...unused(draft), ...ended },
      }),
    )
  }

  await Promise.all(lines.map((line, at) => inTurn(() => judge(line, at))))
  batch.refused = [...refused.values()].sort((a, b) => a.line - b.line)
  if (endings.length > 0) {
    // Before the receipts: what is refused for good must be told to the caller.
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
  draft: ReceiptDraft,
  terms: BatchTerms,
  parts: BatchParts,
): Promise<{ refusal: ApiError | null; body: Buffer; checks: EntryCheck[]; policies: string | null }> {
  try {
    const planned = await planLine(line, callId, terms, parts)
    const reserved = { reservedNanos: draft.costNanos ?? 0, priceHash: draft.price ?? '' }
    const judged = await judgeLine(planned, reserved, parts)
    const { refusal, body, attempt } = judged
    return { refusal, body, checks: judged.checks(), policies: attempt.plan.policies }
  } catch (error) {
    // What is the line's own fault is told; what is ours is tried again.
    const known = toApiError(error)
    if (known.status >= 500) throw error
    return { refusal: known, body: line.body, checks: draft.checks ?? [], policies: null }
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

/** A body may have line breaks between its members; inside of texts JSON has none. */
function oneLine(body: Buffer): Buffer {
  if (!body.includes(0x0a) && !body.includes(0x0d)) return body
  const copy = Buffer.from(body)
  for (let at = 0; at < copy.length; at++) if (copy[at] === 0x0a || copy[at] === 0x0d) copy[at] = 0x20
  return copy
}
