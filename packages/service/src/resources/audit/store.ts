import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../db/index.js'
import { namesAt, type WantedName } from '../names/index.js'
import type { ActorType } from './record.js'

/** An entry with the names that its author's key and user had at the time. */
export type AuditRow = Selectable<Tables['audit_log']> & { keyName: string | null; userName: string | null }

/** Selects entries. Null fields match everything. */
export interface AuditFilter {
  actorType: ActorType | null
  actorId: string | null
  userId: string | null
  action: string | null
  subjectType: string | null
  subjectId: string | null
  from: Date | null
  /** Exclusive. */
  to: Date | null
}

/** Lists entries, newest first. Plan: each filter on an id has an index in the order of the page. */
export async function listAuditEntries(
  db: Db,
  tenantId: string,
  filter: AuditFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<AuditRow[]> {
  const { actorType, actorId, userId, action, subjectType, subjectId, from, to } = filter
  let query = db.selectFrom('audit_log').selectAll().where('tenant_id', '=', tenantId)
  if (actorType !== null) query = query.where('actor_type', '=', actorType)
  if (actorId !== null)
    query = query.where((eb) => eb.or([eb('actor_id', '=', actorId), eb('key_id', '=', actorId)]))
  if (userId !== null) query = query.where('user_id', '=', userId)
  if (action?.endsWith('.*')) query = query.where('subject_type', '=', action.slice(0, -2))
  else if (action !== null) query = query.where('action', '=', action)
  if (subjectType !== null) query = query.where('subject_type', '=', subjectType)
  if (subjectId !== null) query = query.where('subject_id', '=', subjectId)
  if (from !== null) query = query.where('at', '>=', from)
  if (to !== null) query = query.where('at', '<', to)
  if (after !== null) query = query.where('id', '<', after)
  return await withNames(db, tenantId, await query.orderBy('id', 'desc').limit(limit).execute())
}

/** Adds the names that authors had at the time. */
export async function withNames<Row extends Selectable<Tables['audit_log']>>(
  db: Db,
  tenantId: string,
  rows: readonly Row[],
): Promise<(Row & Pick<AuditRow, 'keyName' | 'userName'>)[]> {
  const named = rows.flatMap(({ at, key_id, user_id }): WantedName[] => [
    ...(key_id === null ? [] : [{ type: 'key' as const, id: key_id, at }]),
    ...(user_id === null ? [] : [{ type: 'user' as const, id: user_id, at }]),
  ])
  const nameOf = await namesAt(db, tenantId, named)
  const nameAt = (type: 'key' | 'user', id: string | null, at: Date) => id && nameOf({ type, id, at })
  return rows.map((row) => ({
    ...row,
    keyName: nameAt('key', row.key_id, row.at),
    userName: nameAt('user', row.user_id, row.at),
  }))
}
