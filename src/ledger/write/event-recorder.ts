import { CompiledQuery, type Transaction } from 'kysely'
import { newId, type PipelinedConnection, type Statement, type Tables } from '../../db/index.js'
import type { ReceiptDraft } from '../format/entry.js'
import type { SigningKey } from '../keys/signing-key.js'
import { type CommitOptions, commitGroup } from './commit.js'

/** An event of the record itself, such as a pack that was activated. */
export interface ControlEvent
  extends Pick<ReceiptDraft, 'key' | 'user' | 'packs' | 'adjusts' | 'costNanos' | 'reason'> {
  /** As `subject.verb`. */
  event: `${string}.${string}`
  subject: string
}

/** Records an event in the transaction of the change that it describes: both are committed, or neither. */
export type RecordEvent = (tx: Transaction<Tables>, tenantId: string, event: ControlEvent) => Promise<number>

/**
 * Commits like the writer, but inside the caller's transaction. Locks the tenant's head until that transaction ends:
 * calls that end in the meantime are recorded after the event. Runs no projections, since an event is not a call.
 */
export function createEventRecorder(options: {
  signingKey(): SigningKey
  marks: Pick<CommitOptions['marks'], 'check'>
  now(): Date
}): RecordEvent {
  return async (tx, tenantId, event) => {
    const id = newId('req')
    const draft: ReceiptDraft = { id, ts: options.now().toISOString(), kind: 'control', ...event }
    const seqs = await commitGroup(within(tx), [{ tenantId, draft, commitmentKey: null }], {
      signingKey: options.signingKey(),
      // Whether it is committed is not known here.
      marks: { check: options.marks.check, remember: () => undefined },
      projections: [],
      mayRepeat: false,
    })
    return seqs.get(id) ?? 0
  }
}

/** A connection for `commitGroup` that begins and ends no transaction of its own. */
function within(tx: Transaction<Tables>): PipelinedConnection {
  const run = async <Row>({ text, values }: Statement): Promise<Row[]> =>
    (await tx.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
  const runAll = async (statements: readonly Statement[]) => {
    for (const statement of statements) await run(statement)
  }
  return {
    begin: run,
    read: run,
    transact: runAll,
    commit: runAll,
    // The caller rolls back, after the error that `commitGroup` throws.
    rollback: async () => undefined,
    close: async () => undefined,
    destroy: () => undefined,
  }
}
