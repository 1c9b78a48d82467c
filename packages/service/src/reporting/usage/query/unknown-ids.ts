import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import { type ApiError, invalidField } from '../../../shared/errors.js'

const filters = {
  keyId: { type: 'key', column: 'key_id' },
  userId: { type: 'user', column: 'user_id' },
  teamId: { type: 'team', column: 'team_id' },
  policyId: { type: 'policy', column: null },
} as const

type IdFilters = { [Name in keyof typeof filters]?: string | null | undefined }

/**
 * Throws for a filter with an id that never existed. It is asked only where nothing was found, so that a wrong id is not taken for an id
 * without calls. What was deleted keeps its name in the history, and its calls; a user needs no more than a key or a call.
 */
export async function refuseUnknownIds(db: Db, tenantId: string, query: IdFilters): Promise<void> {
  for (const [filter, { type, column }] of Object.entries(filters)) {
    const id = query[filter as keyof typeof filters]
    if (id === undefined || id === null) continue
    const sources = [
      sql<boolean>`exists (select from names where tenant_id = ${tenantId} and type = ${type} and id = ${id})`,
      ...(type === 'user' ? userSources(tenantId, id) : []),
      ...(column === null
        ? []
        : [
            sql<boolean>`exists (select from calls where tenant_id = ${tenantId} and ${sql.ref(column)} = ${id})`,
          ]),
    ]
    const { rows } = await sql<{ known: boolean }>`select ${sql.join(sources, sql` or `)} as known`.execute(
      db,
    )
    if (rows[0]?.known !== true) throw unknownId(filter, type, id)
  }
}

const userSources = (tenantId: string, id: string): RawBuilder<boolean>[] => [
  sql`exists (select from members where tenant_id = ${tenantId} and user_id = ${id})`,
  sql`exists (select from keys where tenant_id = ${tenantId} and user_id = ${id})`,
]

const unknownId = (filter: string, type: string, id: string): ApiError =>
  invalidField(filter, `there is no ${type} ${id}, and there never was`)
