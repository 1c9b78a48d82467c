import type { ReceiptDraft } from '@tallystick/record/format'
import { CompiledQuery, type Transaction } from 'kysely'
import { boundIdleTime, newId, type Statement, type Tables } from '../../db/index.js'
import type { SigningKey } from '../keys/signing-key.js'
import type { RecordMarks } from '../marks/record-marks.js'
import { composeStatements } from './compose.js'
import { type HeadRow, headsOf, lockHeads } from './heads.js'

/** An event of the record itself, such as a pack that was activated. */
export interface ControlEvent
  extends Pick<
    ReceiptDraft,
    'key' | 'user' | 'packs' | 'adjusts' | 'costNanos' | 'reason' | 'by' | 'restore'
  > {
  /** As `subject.verb`. */
  event: `${string}.${string}`
  subject: string
}

/** Records an event in the transaction of the change that it describes: both are committed, or neither. */
export type RecordEvent = (tx: Transaction<Tables>, tenantId: string, event: ControlEvent) => Promise<number>

/**
 * Writes like the writer, but inside the caller's transaction. Locks the tenant's head until that transaction ends:
 * calls that end in the meantime are recorded after the event. Runs no projections, since an event is not a call.
 */
export function createEventRecorder(options: {
  signingKey(): SigningKey
  marks: Pick<RecordMarks, 'check'>
  now(): Date
}): RecordEvent {
  return async (tx, tenantId, event) => {
    const run = async <Row>({ text, values }: Statement): Promise<Row[]> =>
      (await tx.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
    const draft: ReceiptDraft = {
      id: newId('req'),
      ts: options.now().toISOString(),
      kind: 'control',
      ...event,
    }
    await boundIdleTime(tx)
    const heads = headsOf(await run<HeadRow>(lockHeads([tenantId])))
    options.marks.check(heads)
    const { statements, numbered } = composeStatements(heads, [{ tenantId, draft, commitmentKey: null }], {
      signingKey: options.signingKey(),
      projections: [],
      writer: null,
      // Whether it is committed is not known here.
      onMoved: () => undefined,
    })
    for (const statement of statements) await run(statement)
    return numbered[0]?.seq ?? 0
  }
}
