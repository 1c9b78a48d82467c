import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, type Cursors, callerOf, Page, PageQuery, readPage } from '../../http/index.js'
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
      const { tenantId } = callerOf(request)
      return await readPage({
        query: request.query,
        scope: `audit ${tenantId}`,
        cursors,
        fetch: ({ after, limit }) => listEntries(db, tenantId, after, limit),
        position: (row) => row.id,
        present: (row) => ({
          id: row.id,
          at: row.at.toISOString(),
          actor: { keyId: row.key_id, userId: row.user_id },
          action: row.action,
          subject: { type: row.subject_type, id: row.subject_id },
          before: row.before,
          after: row.after,
        }),
      })
    },
  )
}

async function listEntries(db: Db, tenantId: string, after: string | null, limit: number) {
  let query = db.selectFrom('audit_log').selectAll().where('tenant_id', '=', tenantId)
  if (after !== null) query = query.where('id', '<', after)
  return await query.orderBy('id', 'desc').limit(limit).execute()
}
