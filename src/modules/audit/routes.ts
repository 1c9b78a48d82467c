import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, type Cursors, Page, PageQuery, principalOf, readPage } from '../../http/index.js'
import { AuditEntry } from './schema.js'

/** The trail of management writes, newest first. */
export function registerAuditRoutes(app: App, { db, cursors }: { db: Db; cursors: Cursors }): void {
  app.get(
    '/v1/audit-log',
    {
      config: { access: 'manager' },
      schema: {
        tags: ['Audit'],
        operationId: 'listAuditLog',
        summary: 'List management writes',
        description:
          'Every change made through this interface or by the operator: who, when, and the record before and after.',
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: { 200: Page(AuditEntry, 'AuditPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      return await readPage({
        query: request.query,
        scope: `audit ${tenantId}`,
        cursors,
        fetch: ({ after, limit }) => listEntries(db, tenantId, after, limit),
        position: (row) => row.id,
        present: (row) => ({
          id: row.id,
          at: row.at.toISOString(),
          actor: presentActor(row),
          action: row.action,
          subject: { type: row.subject_type, id: row.subject_id },
          before: row.before,
          after: row.after,
        }),
      })
    },
  )
}

/** The operator has no key; its word stands there too, as it always did. */
const presentActor = ({ actor_type: type, actor_id, key_id, user_id }: AuditRow) => ({
  type,
  id: actor_id ?? key_id ?? 'operator',
  keyId: type === 'operator' ? 'operator' : key_id,
  userId: user_id,
})

type AuditRow = Awaited<ReturnType<typeof listEntries>>[number]

async function listEntries(db: Db, tenantId: string, after: string | null, limit: number) {
  let query = db.selectFrom('audit_log').selectAll().where('tenant_id', '=', tenantId)
  if (after !== null) query = query.where('id', '<', after)
  return await query.orderBy('id', 'desc').limit(limit).execute()
}
