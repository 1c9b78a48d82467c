import type { ReplicaReads } from '../../db/index.js'
import { defineResource, type Filter, type ManagementApi, presentEach } from '../../http/index.js'
import { invalidField } from '../../shared/errors.js'
import { presentAuditEntry } from './present.js'
import { AuditEntry, AuditFilters } from './schema.js'
import { type AuditFilter, listAuditEntries } from './store.js'

export function registerAuditRoutes(api: ManagementApi, { reads }: { reads: ReplicaReads }): void {
  defineResource(api, {
    path: '/v1/audit-log',
    tag: 'Audit',
    one: 'an audit entry',
    many: 'audit entries',
    item: AuditEntry,
    present: presentEach(presentAuditEntry),
    list: {
      operationId: 'listAuditLog',
      summary: 'List audit log entries',
      description:
        'Lists every change made through this API or by the operator, newest first: who made it, when, and the object before and after. Every read of captured content (`content.read`) is included, because content can contain personal data. An entry must match all given filters.',
      title: 'AuditPage',
      filters: AuditFilters,
      reads,
      rows: ({ tenantId, filter }, db) => listAuditEntries(db, tenantId, readFilter(filter), filter),
      position: (row) => row.id,
    },
  })
}

function readFilter({ from: fromText, to: toText, ...filter }: Filter<typeof AuditFilters>): AuditFilter {
  const from = fromText === null ? null : new Date(fromText)
  const to = toText === null ? null : new Date(toText)
  if (from !== null && to !== null && from >= to) throw invalidField('to', 'must be after from')
  return { ...filter, from, to }
}
