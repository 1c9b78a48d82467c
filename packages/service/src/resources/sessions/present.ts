import type { Db } from '../../db/index.js'
import type { Principal } from '../../http/index.js'
import type { Caller, Session } from './schema.js'
import { findNames, findSessionById, maxAgeMs, maxIdleMs, type SessionRow } from './store.js'

/** Presents a session in the API and the audit log, without the cookie or its hash. */
export const presentSession = (row: SessionRow, currentId: string | null): Session => ({
  id: row.id,
  via: viaOf(row),
  keyId: row.key_id,
  current: row.id === currentId,
  ip: row.ip,
  userAgent: row.user_agent,
  createdAt: row.created_at.toISOString(),
  lastSeenAt: row.last_seen_at.toISOString(),
  expiresAt: new Date(endOf(row, row.last_seen_at.getTime())).toISOString(),
})

export async function presentCaller(db: Db, principal: Principal): Promise<Caller> {
  const { tenantId, role, userId, keyId, sessionId } = principal
  const names = await findNames(db, principal)
  const session = sessionId === null ? undefined : await findSessionById(db, tenantId, sessionId)
  const ends = [names.key_expires_at?.getTime(), session && endOf(session, Date.now())]
  const known = ends.filter((time) => time !== undefined)
  return {
    tenant: { id: tenantId, name: names.tenant_name },
    role,
    userId,
    name: names.user_name,
    email: names.user_email,
    keyId,
    keyName: names.key_name,
    via: sessionId === null ? 'key' : viaOf({ key_id: keyId }),
    sessionId,
    expiresAt: known.length === 0 ? null : new Date(Math.min(...known)).toISOString(),
  }
}

const viaOf = ({ key_id }: Pick<SessionRow, 'key_id'>) => (key_id === null ? 'oidc' : 'session')

const endOf = ({ created_at }: Pick<SessionRow, 'created_at'>, lastSeenMs: number): number =>
  Math.min(created_at.getTime() + maxAgeMs, lastSeenMs + maxIdleMs)
