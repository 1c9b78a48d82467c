import { describeException, readException } from '@tallystick/record/format'
import type { Db } from '../../../db/index.js'
import type { SpanReceipt } from '../../../record/index.js'
import { readViolations } from '../../webhooks/index.js'
import type { SinkRow } from '../store.js'
import type { ExportedRow } from './batch.js'
import { exceptionToOcsf, violationToOcsf } from './ocsf.js'

/** Calls that a policy or a list blocked, and events that limit what the record proves. */
export async function presentSecurityEvents(
  db: Db,
  sink: SinkRow,
  receipts: readonly SpanReceipt[],
): Promise<ExportedRow[]> {
  const tenantId = sink.tenant_id
  const entries = receipts.map(({ seq, ts, canonical }) => ({
    tenantId,
    seq,
    ts,
    draft: JSON.parse(canonical),
  }))
  const violations = await readViolations(db, entries)
  return entries.flatMap(({ seq, ts, draft }) => {
    const row = (event: object) => [{ at: ts, id: String(seq), json: JSON.stringify(event) }]
    const violation = violations.get(seq)
    if (violation) return row(violationToOcsf({ seq, draft, data: { ...violation.data } }, tenantId))
    const exception = readException(draft)
    if (exception === null) return []
    return row(exceptionToOcsf({ seq, draft, title: describeException(exception) }, tenantId))
  })
}
