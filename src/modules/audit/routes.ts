import type { Db } from '../../db/index.js'
import { invalidField } from '../../errors.js'
import { type App, type Cursors, Page, principalOf, readPage } from '../../http/index.js'
import { presentAuditEntry } from './present.js'
import { AuditEntry, AuditQuery } from './schema.js'
import { type AuditFilter, listAuditEntries } from './store.js'

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
          'Every change made through this API or by the operator: who, when, and the record before and after. Also every reading of what calls said (`content.read`), as it may concern persons. Newest first; all filters that are given must hold.',
        querystring: AuditQuery,
        response: { 200: Page(AuditEntry, 'AuditPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const filter = readFilter(request.query)
      return await readPage({
        query: request.query,
        scope: `audit ${tenantId} ${JSON.stringify(filter)}`,
        cursors,
        fetch: (page) => listAuditEntries(db, tenantId, filter, page),
        position: (row) => row.id,
        present: presentAuditEntry,
      })
    },
  )
}

function readFilter(query: AuditQuery): AuditFilter {
  const { actorType = null, actorId = null, userId = null } = query
  const { action = null, subjectType = null, subjectId = null } = query
  const from = query.from === undefined ? null : new Date(query.from)
  const to = query.to === undefined ? null : new Date(query.to)
  if (from !== null && to !== null && from >= to) throw invalidField('to', 'must be after from')
  return { actorType, actorId, userId, action, subjectType, subjectId, from, to }
}
