import { type Db, inBoundedTransaction } from '../../db/index.js'
import type { RecordEvent } from '../../record/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { ContentCaptureChange, ContentCaptureRecord } from './schema.js'
import { lockContent, readContentCapture, upsertContentCapture } from './store.js'

export interface SettingsDependencies {
  db: Db
  recordEvent: RecordEvent
}

/**
 * A control entry in the record separates the calls before from the calls after. Without a change there is no
 * entry.
 */
export async function updateContentCapture(
  { db, recordEvent }: SettingsDependencies,
  actor: Actor,
  change: ContentCaptureChange,
): Promise<ContentCaptureRecord> {
  const { tenantId, keyId, userId } = actor
  return await inBoundedTransaction(db, async (tx) => {
    await lockContent(tx, tenantId)
    const before = await readContentCapture(tx, tenantId)
    const { mode, retentionDays = before.retentionDays } = change
    if (before.mode === mode && before.retentionDays === retentionDays) return before
    const seq = await recordEvent(tx, tenantId, {
      event: 'content_capture.change',
      subject: `mode=${mode} retentionDays=${retentionDays}`,
      ...(keyId !== null && { key: keyId }),
      ...(userId !== null && { user: userId }),
    })
    await upsertContentCapture(tx, tenantId, { mode, retentionDays }, seq)
    const after = await readContentCapture(tx, tenantId)
    await recordChange(tx, actor, {
      action: 'content_capture.update',
      subjectId: 'content-capture',
      before: summaryOf(before),
      after: summaryOf(after),
    })
    return after
  })
}

const summaryOf = ({ mode, retentionDays }: ContentCaptureRecord) => ({ mode, retentionDays })
