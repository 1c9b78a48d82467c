import { type Db, inTransaction, newId, type Tx } from '../../db/index.js'
import { ownerOf, type Principal } from '../../http/index.js'
import { unauthorized } from '../../shared/errors.js'
import { recordChanges } from '../audit/index.js'
import { presentSession } from './present.js'
import {
  endSessionRows,
  findOwnSession,
  insertSession,
  isStillActive,
  listSessions,
  type SessionRow,
} from './store.js'
import { shortenUserAgent } from './user-agent.js'
import { generateSessionValue, hashSessionValue } from './value.js'

/** The origin of a sign-in, as the person is shown it later. */
export interface SignInOrigin {
  ip: string
  userAgent: string | undefined
}

// Nobody has so many browsers: sign-ins by a script must not fill the table.
const maxSessions = 50

/** Opens a session for an authenticated principal. The value is for the cookie and is not stored. */
export async function openSession(
  db: Db,
  principal: Principal,
  place: SignInOrigin,
): Promise<{ session: Principal; value: string }> {
  const { tenantId, keyId, userId } = principal
  const value = generateSessionValue()
  const sessionId = principal.sessionId ?? newId('ses')
  const session: Principal = { ...principal, sessionId }
  await inTransaction(db, async (tx) => {
    // The credential may have been revoked in the meantime, and its sessions ended.
    if (!(await isStillActive(tx, principal))) throw unauthorized()
    await endOldest(tx, session)
    const row = await insertSession(tx, {
      id: sessionId,
      tenant_id: tenantId,
      hash: hashSessionValue(value),
      key_id: keyId,
      user_id: userId,
      ip: place.ip,
      user_agent: shortenUserAgent(place.userAgent),
    })
    await recordSessions(tx, session, 'session.create', [row])
  })
  return { session, value }
}

async function endOldest(tx: Tx, session: Principal): Promise<void> {
  const own = ownerOf(session)
  const rows = await listSessions(tx, session.tenantId, { own, after: null, limit: 2 * maxSessions })
  const byLastUse = rows.toSorted((a, b) => b.last_seen_at.getTime() - a.last_seen_at.getTime())
  await endThem(tx, session, byLastUse.slice(maxSessions - 1))
}

/** Ends one of the caller's sessions; idempotent. False when the caller has no such session. */
export async function endSession(db: Db, principal: Principal, id: string): Promise<boolean> {
  return await inTransaction(db, async (tx) => {
    const row = await findOwnSession(tx, principal.tenantId, ownerOf(principal), id)
    if (row === undefined) return false
    await endThem(tx, principal, [row])
    return true
  })
}

export async function endAllSessions(db: Db, principal: Principal): Promise<void> {
  await inTransaction(db, async (tx) => {
    const own = ownerOf(principal)
    const page = { own, after: null, limit: 10 * maxSessions }
    await endThem(tx, principal, await listSessions(tx, principal.tenantId, page))
  })
}

async function endThem(tx: Tx, actor: Principal, rows: readonly SessionRow[]): Promise<void> {
  if (rows.length === 0) return
  const ended = await endSessionRows(
    tx,
    actor.tenantId,
    rows.map(({ id }) => id),
  )
  await recordSessions(tx, actor, 'session.delete', ended)
}

async function recordSessions(
  tx: Tx,
  actor: Principal,
  action: 'session.create' | 'session.delete',
  rows: readonly SessionRow[],
): Promise<void> {
  const changes = rows.map((row) => {
    const { current: _, ...shown } = presentSession(row, null)
    return {
      action,
      subjectId: row.id,
      before: action === 'session.create' ? null : shown,
      after: action === 'session.create' ? shown : null,
    }
  })
  await recordChanges(tx, actor, changes)
}
