import { sql } from 'kysely'
import type { Db } from '../../../db/index.js'
import type { NumberedReceipt } from '../../../record/index.js'
import type { ScopeType, SpendAccount } from '../../../shared/spend-account.js'
import { tagScopesOf } from '../../../shared/tags.js'

/**
 * The scopes whose spend a receipt's cost adds to: the tenant and, if present, the team, user, key, tags and
 * session.
 */
export function scopesOf({
  tenantId,
  draft,
}: Pick<NumberedReceipt, 'tenantId' | 'draft'>): [ScopeType, string][] {
  const scopes: [ScopeType, string | undefined][] = [
    ['tenant', tenantId],
    ['team', draft.team],
    ['user', draft.user],
    ['key', draft.key],
    ['session', draft.session],
  ]
  if (draft.tags !== undefined) for (const tag of tagScopesOf(draft.tags)) scopes.push(['tag', tag])
  return scopes.flatMap(([type, id]) => (id === undefined ? [] : [[type, id]]))
}

/**
 * Returns the spend of each account, with the last receipt that is included: the head of the record and the spend
 * are written in one transaction and read in one statement, so they agree. Plan: for each account a range of the
 * totals, and the tenant's rows that are not yet folded.
 */
export async function readSpend(
  db: Db,
  tenantId: string,
  accounts: readonly SpendAccount[],
): Promise<{ asOfSeq: number; spentNanos: number }[]> {
  const { rows } = await sql<{ as_of: number; spent: number }>`
    select (select size from record_heads where tenant_id = ${tenantId}) as as_of,
      (select coalesce(sum(d.cost_nanos), 0)::float8 from spend_days d
       where d.tenant_id = ${tenantId} and d.scope_type = q.scope_type and d.scope_id = q.scope_id
         and d.day >= q.first and (q.next is null or d.day < q.next)) as spent
    from unnest(
      ${accounts.map(({ scopeType }) => scopeType)}::text[],
      ${accounts.map(({ scopeId }) => scopeId)}::text[],
      ${accounts.map(({ startMs }) => toDay(startMs))}::date[],
      ${accounts.map(({ endMs }) => (endMs === null ? null : toDay(endMs)))}::date[]
    ) with ordinality as q (scope_type, scope_id, first, next, ordinal)
    order by q.ordinal`.execute(db)
  return rows.map((row) => ({ asOfSeq: row.as_of, spentNanos: row.spent }))
}

/** Returns the scope of this type with the highest spend in a period, among those whose id begins with `prefix`. */
export async function readLeadingScope(
  db: Db,
  tenantId: string,
  scopeType: ScopeType,
  prefix: string,
  { startMs, endMs }: Pick<SpendAccount, 'startMs' | 'endMs'>,
): Promise<string | null> {
  const { rows } = await sql<{ scope_id: string }>`
    select scope_id from spend_days
    where tenant_id = ${tenantId} and scope_type = ${scopeType} and starts_with(scope_id, ${prefix})
      and day >= ${toDay(startMs)}::date and day < coalesce(${endMs === null ? null : toDay(endMs)}::date, 'infinity')
    group by scope_id order by sum(cost_nanos) desc, scope_id limit 1`.execute(db)
  return rows[0]?.scope_id ?? null
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
