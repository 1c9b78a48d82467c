import type { Transaction } from 'kysely'
import { newId, type Tables } from '../../db/index.js'

/** Who acts. A caller is one; the operator's commands act as `operator`. */
export interface Actor {
  tenantId: string
  keyId: string
  userId: string | null
}

export const operatorOf = (tenantId: string): Actor => ({ tenantId, keyId: 'operator', userId: null })

export interface RecordedChange {
  /** What was done, as `subject.verb`: `key.create`. */
  action: `${string}.${string}`
  subjectId: string
  /** The record as it is shown to callers, so never with a secret; null where there was or is none. */
  before: object | null
  after: object | null
}

/** Writes a change down in the change's own transaction: both are kept, or neither. */
export async function recordChange(
  tx: Transaction<Tables>,
  actor: Actor,
  change: RecordedChange,
): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      id: newId('aud'),
      tenant_id: actor.tenantId,
      key_id: actor.keyId,
      user_id: actor.userId,
      action: change.action,
      subject_type: change.action.slice(0, change.action.indexOf('.')),
      subject_id: change.subjectId,
      before: change.before && JSON.stringify(change.before),
      after: change.after && JSON.stringify(change.after),
    })
    .execute()
}
