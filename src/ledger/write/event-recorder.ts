import { CompiledQuery, type Transaction } from 'kysely'
import { newId, type PipelinedConnection, type Statement, type Tables } from '../../db/index.js'
import type { ReceiptDraft } from '../format/entry.js'
import type { SigningKey } from '../keys/signing-key.js'
import { commitGroup } from './commit.js'

/** An event of the record itself, such as a pack that was activated. */
export interface ControlEvent extends Pick<ReceiptDraft, 'key' | 'user' | 'packs'> {
  /** As `subject.verb`. */
  event: `${string}.${string}`
  subject: string
}

/** Records an event in the transaction of the change that it speaks of: both are kept, or neither. */
export type RecordEvent = (tx: Transaction<Tables>, tenantId: string, event: ControlEvent) => Promise<number>

/**
 * The writer's own way into the record, inside a transaction of someone else's. It locks the tenant's head until that
 * transaction ends: calls that end in the meantime stand behind the event. No projection runs, as an event is no call.
 */
export function createEventRecorder(options: { signingKey(): SigningKey; now(): Date }): RecordEvent {
  return async (tx, tenantId, event) => {
    const id = newId('req')
    const draft: ReceiptDraft = { id, ts: options.now().toISOString(), kind: 'control', ...event }
    const seqs = await commitGroup(within(tx), [{ tenantId, draft, commitmentKey: null }], {
      signingKey: options.signingKey(),
      projections: [],
      mayRepeat: false,
    })
    return seqs.get(id) ?? 0
  }
}

/** The connection as the writer wants it. Where its own transaction would begin and end, this one goes on. */
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
    // Whoever began the transaction ends it, once they hear of the fault.
    rollback: async () => undefined,
    close: async () => undefined,
    destroy: () => undefined,
  }
}
