import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, type Cursors, Page, PageQuery, principalOf, readPage, strict } from '../../http/index.js'
import { presentAuditEntry } from './present.js'
import { AuditEntry } from './schema.js'
import { listAuditEntries } from './store.js'

export function registerAuditRoutes(app: App, { db, cursors }: { db: Db; cursors: Cursors }): void {
  app.get(
    '/v1/audit-log',
    {
      config: { access: 'reader' },
      schema: {
        tags: ['Audit'],
        operationId: 'listAuditLog',
        summary: 'List management writes',
        description:
          'Every change made through this API or by the operator: who, when, and the record before and after. Also every reading of what calls said (`content.read`), as it may concern persons.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(AuditEntry, 'AuditPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      return await readPage({
        query: request.query,
        scope: `audit ${tenantId}`,
        cursors,
        fetch: (page) => listAuditEntries(db, tenantId, page),
        position: (row) => row.id,
        present: presentAuditEntry,
      })
    },
  )
}
