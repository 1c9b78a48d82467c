import type { AuditEntry } from './schema.js'
import type { AuditRow } from './store.js'

export const presentAuditEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: presentActor(row),
  action: row.action,
  subject: { type: row.subject_type, id: row.subject_id },
  before: row.before,
  after: row.after,
})

/** `keyId` is `operator` for the operator, who has no key. */
const presentActor = ({ actor_type: type, actor_id, key_id, ...row }: AuditRow): AuditEntry['actor'] => ({
  type,
  id: actor_id,
  keyId: type === 'operator' ? 'operator' : key_id,
  userId: row.user_id,
  keyName: row.keyName,
  userName: row.userName,
})
