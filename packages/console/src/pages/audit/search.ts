/** The search parameters of the audit log, without the time range. */
export interface AuditSearch {
  /** The actor: a user ID, a key ID or `operator`. */
  userId?: string
  actorId?: string
  /** One action (`key.revoke`), or all actions on a kind of subject (`key.*`). */
  action?: string
  /** The ID of the changed record. */
  subjectId?: string
  /** The open entry. */
  entry?: string
}

const names = ['userId', 'actorId', 'action', 'subjectId', 'entry'] as const

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const read: AuditSearch = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
    // The router parses an ID of digits as a number.
    else if (typeof value === 'number') read[name] = String(value)
  }
  return read
}
