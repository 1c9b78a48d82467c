import { CompiledQuery, sql } from 'kysely'
import { type Db, inBoundedTransaction, type Statement, type Tx } from '../../db/index.js'
import {
  type Entry,
  findReceipt,
  type NumberedReceipt,
  type RecordEvent,
  type StoredReceipt,
} from '../../record/index.js'
import { conflict, notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'

export interface AdjustmentParts {
  db: Db
  recordEvent: RecordEvent
  /**
   * Returns the effects of a correction, in its transaction: spend and usage of the period in which the call was
   * admitted.
   */
  project(correction: NumberedReceipt): Statement[]
  /** Called once the correction is committed. */
  onAdjusted(correction: NumberedReceipt): void
}

/**
 * Corrects the cost of a call whose usage the provider did not report. The receipt is unchanged; the correction is
 * a separate entry. It counts for the scopes of the call, in the period in which the call was admitted.
 */
export async function adjustReceipt(
  { db, recordEvent, project, onAdjusted }: AdjustmentParts,
  actor: Actor,
  seq: number,
  { costNanos, reason }: { costNanos: number; reason: string },
): Promise<StoredReceipt> {
  const { tenantId, keyId, userId } = actor
  const { entry, correction } = await inBoundedTransaction(db, async (tx) => {
    await sql`select from record_heads where tenant_id = ${tenantId} for update`.execute(tx)
    const receipt = await readAdjustable(tx, tenantId, seq)
    const before = (receipt.costNanos ?? 0) + (await readAdjusted(tx, tenantId, seq))
    const difference = costNanos - before
    if (difference === 0) throw conflict('The receipt has this cost already')
    const recordedSeq = await recordEvent(tx, tenantId, {
      event: 'receipt.adjust',
      subject: receipt.id,
      adjusts: seq,
      costNanos: difference,
      reason,
      ...(keyId !== null && { key: keyId }),
      ...(userId !== null && { user: userId }),
    })
    await sql`insert into adjustments (tenant_id, adjusts, seq, cost_nanos)
      values (${tenantId}, ${seq}, ${recordedSeq}, ${difference})`.execute(tx)
    const correction = toCorrection(tenantId, receipt, recordedSeq, difference)
    for (const { text, values } of project(correction)) await tx.executeQuery(CompiledQuery.raw(text, values))
    await recordChange(tx, actor, {
      action: 'receipt.adjust',
      subjectId: receipt.id,
      before: { seq, costNanos: before },
      after: { seq, costNanos, reason },
    })
    const entry = await findReceipt(tx, tenantId, recordedSeq)
    if (!entry) throw new Error('An entry that was just written is not there')
    return { entry, correction }
  })
  onAdjusted(correction)
  return entry
}

async function readAdjustable(tx: Tx, tenantId: string, seq: number): Promise<Entry> {
  const row = await findReceipt(tx, tenantId, seq)
  if (!row) throw notFound('receipt')
  const receipt: Entry = JSON.parse(row.canonical)
  if (receipt.kind !== 'model' && receipt.kind !== 'tool')
    throw conflict('Only the receipt of a call has a cost')
  if (receipt.usage !== 'counted' && receipt.usage !== 'reserved')
    throw conflict('The cost follows from what the provider itself reported: it is not corrected')
  return receipt
}

async function readAdjusted(tx: Tx, tenantId: string, seq: number): Promise<number> {
  const { rows } = await sql<{
    sum: number
  }>`select coalesce(sum(cost_nanos), 0)::float8 as sum from adjustments
    where tenant_id = ${tenantId} and adjusts = ${seq}`.execute(tx)
  return rows[0]?.sum ?? 0
}

/** Returns the difference in the form of a call, at the time of the call that it corrects. */
function toCorrection(tenantId: string, receipt: Entry, seq: number, costNanos: number): NumberedReceipt {
  const { ts, key, user, team, provider, model, target, outcome, session, tags } = receipt
  return {
    tenantId,
    seq,
    commitmentKey: null,
    draft: {
      id: `${receipt.id}+${seq}`,
      ts,
      kind: 'control',
      costNanos,
      adjusts: receipt.seq,
      ...(key !== undefined && { key }),
      ...(user !== undefined && { user }),
      ...(team !== undefined && { team }),
      ...(provider !== undefined && { provider }),
      ...(model !== undefined && { model }),
      ...(target !== undefined && { target }),
      ...(outcome !== undefined && { outcome }),
      ...(session !== undefined && { session }),
      ...(tags !== undefined && { tags }),
    },
  }
}
