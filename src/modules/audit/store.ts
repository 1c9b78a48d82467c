import type { Selectable } from 'kysely'
import type { Db, Tables } from '../../db/index.js'

export type AuditRow = Selectable<Tables['audit_log']>

/** Newest first. */
export async function listAuditEntries(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<AuditRow[]> {
  let query = db.selectFrom('audit_log').selectAll().where('tenant_id', '=', tenantId)
  if (after !== null) query = query.where('id', '<', after)
  return await query.orderBy('id', 'desc').limit(limit).execute()
}
