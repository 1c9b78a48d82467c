import { sql } from 'kysely'
import type { Pass } from '../../admission/index.js'
import { type Db, newId } from '../../db/index.js'
import { type ApiError, invalidField, unavailable } from '../../errors.js'
import { budgetExceeded } from '../../governed/index.js'
import { type EntryCheck, type Ledger, type NewReceipt, unused } from '../../ledger/index.js'
import { createTurnstile } from '../../turns.js'
import { type AdmitParts, admit } from '../attempt/admit.js'
import { guard } from '../attempt/guard.js'
import { writeInterrupted } from '../attempt/receipt.js'
import { type Attempt, outputDemand } from '../plan/reservation.js'
import { type BatchTerms, type LineCall, type LineParts, planLine } from './line-call.js'
import { atLine, type BatchLine } from './lines.js'

export interface ReserveParts extends AdmitParts, LineParts {
  db: Db
  ledger: Pick<Ledger, 'append'>
  onError(error: unknown): void
}

export interface ReservedLines {
  /** In the order of the lines. */
  callIds: string[]
  /** The first of them: the model, the provider and the price are those of all. */
  first: LineCall
  /** Takes everything back, as if the batch had not been asked for. */
  release(): Promise<void>
}

const atOnce = 16

/**
 * Reserves the worst case of every line, each as a call of its own: all of them, or none. Until the batch is stored, the lines belong
 * to this process: if it dies before that, they are recorded at no cost, since no provider has seen them.
 */
export async function reserveLines(
  lines: readonly BatchLine[],
  terms: BatchTerms,
  parts: ReserveParts,
): Promise<ReservedLines> {
  const callIds = lines.map(() => newId('req'))
  /** Lines that hold money, and are in the database as under way. */
  const held = new Map<string, Pass>()
  const inTurn = createTurnstile(atOnce)
  let first: LineCall | null = null
  let failure: unknown = null

  async function reserveLine(line: BatchLine, callId: string): Promise<void> {
    const planned = await planLine(line, callId, terms, parts)
    first ??= planned
    requireSameModel(planned, first)
    const { attempt, decision, fault, granted } = await admit(planned.planned, planned.target, 1, parts)
    if (decision.admitted) held.set(callId, decision.pass)
    if (fault !== null) throw fault
    // Lines have no claims on windows.
    if (!decision.admitted && decision.reason === 'window')
      throw unavailable('The limits cannot be asked', undefined, 'limits')
    const overBudget = decision.admitted
      ? null
      : budgetExceeded(decision, attempt.reservation, outputDemand(attempt.reservation))
    const { reservation, entitlements, plan } = attempt
    const { checks, refusal } = guard(reservation, entitlements, plan.references, { overBudget })
    if (refusal === null) return
    if (failure === null) {
      failure = refusal
      const receipt = refusedReceipt(attempt, granted.reserved, decision.atMs, checks, refusal)
      await parts.ledger.append(receipt)
      held.delete(callId)
    }
    throw refusal
  }

  async function release(): Promise<void> {
    await deleteOpenCalls(parts.db, [...held.keys()])
    for (const pass of held.values()) await parts.admission.release(pass).catch(parts.onError)
  }

  await Promise.all(
    lines.map((line, at) =>
      inTurn(async () => {
        if (failure !== null) return
        await atLine(line.number, () => reserveLine(line, callIds[at] ?? '')).catch((error: unknown) => {
          failure = error
        })
      }),
    ),
  )
  if (first !== null && failure === null) return { callIds, first, release }
  // Should the database be away, the lines count as under way until it is back.
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

function requireSameModel({ planned: { call }, target }: LineCall, first: LineCall): void {
  if (target.provider.batches === undefined)
    throw invalidField('model', `is served by ${target.provider.name}, which takes no batches`)
  if (call.model !== first.planned.call.model)
    throw invalidField('model', `must be ${first.planned.call.model}, as in the first line`)
  if (target.provider.id !== first.target.provider.id || target.model !== first.target.model)
    throw unavailable('The model was changed while the batch was read; send it again')
}

/** The line that did not fit leaves a receipt, as a call would have. */
function refusedReceipt(
  attempt: Attempt,
  reserved: Parameters<typeof writeInterrupted>[1],
  atMs: number,
  checks: EntryCheck[],
  refusal: ApiError,
): NewReceipt {
  const receipt = writeInterrupted(attempt, reserved, atMs)
  return {
    ...receipt,
    draft: { ...unused(receipt.draft), outcome: 'blocked', status: refusal.status, checks },
  }
}
