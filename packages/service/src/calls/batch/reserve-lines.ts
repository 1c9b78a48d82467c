import { sql } from 'kysely'
import { type Db, newId } from '../../db/index.js'
import type { Hold } from '../../limits/index.js'
import { type EntryCheck, type Ledger, type NewReceipt, withoutUsage } from '../../record/index.js'
import { type ApiError, invalidField, unavailable } from '../../shared/errors.js'
import { createSemaphore } from '../../shared/semaphore.js'
import { type AdmitParts, admitAttempt, guard } from '../core/index.js'
import type { LineAttempt } from './line-attempt.js'
import { createLineKind, type LineKindParts } from './line-kind.js'
import { type BatchSettings, type PlanLineParts, planLine } from './plan-line.js'
import { atLine, type BatchLine } from './read-lines.js'

export interface ReserveParts extends AdmitParts, PlanLineParts, LineKindParts {
  yieldToEventLoop: PlanLineParts['yieldToEventLoop']
  tokens: LineKindParts['tokens']
  db: Db
  ledger: Pick<Ledger, 'append'>
  onError(error: unknown): void
}

export interface ReservedLines {
  /** The ids of the calls, in the order of the lines. */
  callIds: string[]
  /** The first line. All lines have its model, provider and price. */
  first: LineAttempt
  /** Releases all reservations and deletes the open calls. */
  release(): Promise<void>
}

const maxConcurrent = 16

/**
 * Reserves the maximum cost of every line, or of none. Until the batch is stored, the lines belong to this process. If it dies before
 * that, they are recorded at no cost, because no provider has seen them.
 */
export async function reserveLines(
  lines: readonly BatchLine[],
  settings: BatchSettings,
  parts: ReserveParts,
): Promise<ReservedLines> {
  const kind = createLineKind(parts)
  const callIds = lines.map(() => newId('req'))
  /** The lines that are admitted and stored as open calls, by call id. */
  const holds = new Map<string, Hold>()
  const limitConcurrency = createSemaphore(maxConcurrent)
  let first: LineAttempt | null = null
  let failure: unknown = null

  async function reserveLine(line: BatchLine, callId: string): Promise<void> {
    const planned = await planLine(line, callId, settings, parts)
    first ??= planned
    requireSameModel(planned, first)
    const { attempt, decision, fault } = await admitAttempt(kind, planned, parts)
    if (decision.admitted) holds.set(callId, decision.hold)
    if (fault !== null) throw fault
    if (!decision.admitted && decision.reason === 'window') throw kind.createRateLimitError(attempt, decision)
    const overBudget = decision.admitted ? null : kind.createBudgetError(attempt, decision)
    const { checks, refusal } = guard(attempt, kind.permit(attempt), { overBudget })
    if (refusal === null) return
    if (failure === null) {
      failure = refusal
      await parts.ledger.append(writeRefused(kind.writeInterrupted(attempt), checks, refusal))
      holds.delete(callId)
    }
    throw refusal
  }

  async function release(): Promise<void> {
    await deleteOpenCalls(parts.db, [...holds.keys()])
    for (const hold of holds.values()) await parts.admission.release(hold).catch(parts.onError)
  }

  await Promise.all(
    lines.map((line, at) =>
      limitConcurrency(async () => {
        if (failure !== null) return
        await atLine(line.number, () => reserveLine(line, callIds[at] ?? '')).catch((error: unknown) => {
          failure = error
        })
      }),
    ),
  )
  if (first !== null && failure === null) return { callIds, first, release }
  // While the database is unavailable, the lines stay open calls; releasing them is retried.
  await release().catch((error) => keepTrying(release, error, parts.onError))
  throw failure ?? unavailable('The batch could not be reserved')
}

const deleteOpenCalls = async (db: Db, ids: readonly string[]): Promise<void> =>
  void (await sql`delete from open_calls where id = any(${ids})`.execute(db))

const retryMs = 5_000

function keepTrying(act: () => Promise<void>, cause: unknown, onError: (error: unknown) => void): void {
  onError(cause)
  setTimeout(() => {
    act().catch((error) => keepTrying(act, error, onError))
  }, retryMs).unref()
}

function requireSameModel({ call, target }: LineAttempt, first: LineAttempt): void {
  if (target.provider.batches === undefined)
    throw invalidField('model', `is served by ${target.provider.name}, which does not support batches`)
  if (call.model !== first.call.model)
    throw invalidField('model', `must be ${first.call.model}, as in the first line`)
  if (target.provider.id !== first.target.provider.id || target.model !== first.target.model)
    throw unavailable('The configuration of the model changed while the batch was read; send it again')
}

/** Returns the receipt of the line that a budget or permission refused. */
const writeRefused = (receipt: NewReceipt, checks: EntryCheck[], refusal: ApiError): NewReceipt => ({
  ...receipt,
  draft: { ...withoutUsage(receipt.draft), outcome: 'blocked', status: refusal.status, checks },
})
