import type { Db } from '../../../db/index.js'
import type { SpanReceipt } from '../../../record/index.js'
import { presentEntries } from '../../../reporting/calls/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { SinkRow } from '../store.js'
import { createAuditSource } from './audit-source.js'
import type { ExportedRow, Source } from './batch.js'
import { createFocusSource } from './focus/focus-source.js'
import { createRecordSource } from './record-source.js'
import { presentSecurityEvents } from './security-events.js'

export type Sources = Readonly<Record<SinkRow['data'], Source>>

export function createSources(parts: { db: Db; yieldToEventLoop: YieldToEventLoop }): Sources {
  return {
    receipts: createRecordSource(parts, presentReceipts),
    calls: createRecordSource(parts, (sink, receipts) => presentCalls(parts.db, sink, receipts)),
    audit: createAuditSource(parts),
    security_events: createRecordSource(parts, (sink, receipts) =>
      presentSecurityEvents(parts.db, sink, receipts),
    ),
    focus: createFocusSource(parts),
  }
}

/** The text that was hashed, so that whoever gets it can check it against a proof. */
const presentReceipts = async (_: SinkRow, receipts: readonly SpanReceipt[]): Promise<ExportedRow[]> =>
  receipts.map(({ seq, ts, canonical }) => ({ at: ts, id: String(seq), json: canonical }))

async function presentCalls(db: Db, sink: SinkRow, receipts: readonly SpanReceipt[]): Promise<ExportedRow[]> {
  const entries = receipts.map(({ seq, canonical }) => ({
    tenantId: sink.tenant_id,
    seq,
    draft: JSON.parse(canonical),
  }))
  const calls = await presentEntries(db, sink.tenant_id, entries)
  return receipts.flatMap(({ seq, ts }) => {
    const call = calls.get(seq)
    return call === undefined ? [] : [{ at: ts, id: String(seq), json: JSON.stringify(call) }]
  })
}
