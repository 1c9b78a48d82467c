/** What the address says of the audit log, beside the time range. */
export interface AuditSearch {
  /** Whose changes: a user id, or the id of a key, or `operator`. */
  userId?: string
  actorId?: string
  /** One action (`key.revoke`), or all on a kind of thing (`key.*`). */
  action?: string
  /** The thing that was changed. */
  subjectId?: string
  /** The entry that is open. */
  entry?: string
}

const names = ['userId', 'actorId', 'action', 'subjectId', 'entry'] as const

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const read: AuditSearch = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
    // The address reads an id of digits as a number.
    else if (typeof value === 'number') read[name] = String(value)
  }
  return read
}
