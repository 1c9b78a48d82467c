import { sql } from 'kysely'
import { createPlacedRows, type Db, type KeyedRow, type Statement } from '../../db/index.js'
import type { NumberedReceipt, Projection } from '../../ledger/index.js'
import type { ScopeType, SpendAccount } from '../../spend-account.js'
import { tagScopesOf } from '../../tags.js'

/** The scopes whose spend a receipt's cost adds to: the tenant and, if it has them, the team, user, key, tags and session. */
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

/** Spend by scope and day of admission, written in the receipts' own transaction. */
export const projectSpend: Projection = (receipts) => addSpend(sumSpend(receipts).map(({ values }) => values))

/** The same for a writer that adds to the same rows again and again. */
export function createSpendProjection(): Projection {
  const add = createPlacedRows({ byKey: addSpend, byPlace: { name: 'add_to_spend_day', columns: 5 } })
  return (receipts) => add(sumSpend(receipts))
}

/** Sorted, so that two replicas that write the same rows cannot deadlock. */
function sumSpend(receipts: Parameters<Projection>[0]): KeyedRow[] {
  const sums = new Map<string, { row: [string, ScopeType, string, string]; nanos: number }>()
  for (const receipt of receipts) {
    const nanos = receipt.draft.costNanos ?? 0
    if (nanos === 0) continue
    const day = receipt.draft.ts.slice(0, 10)
    for (const [type, id] of scopesOf(receipt)) {
      const key = [receipt.tenantId, type, id, day].join('\n')
      const sum = sums.get(key) ?? { row: [receipt.tenantId, type, id, day], nanos: 0 }
      sum.nanos += nanos
      sums.set(key, sum)
    }
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { row, nanos }]) => ({ name, values: [...row, nanos] }))
}

const addSpend = (rows: readonly (readonly unknown[])[]): Statement[] =>
  rows.length === 0
    ? []
    : [
        {
          name: 'add_spend',
          text: `insert into spend_days as s (tenant_id, scope_type, scope_id, day, cost_nanos)
            select * from unnest($1::text[], $2::text[], $3::text[], $4::date[], $5::bigint[])
            on conflict (tenant_id, scope_type, scope_id, day) do update set cost_nanos = s.cost_nanos + excluded.cost_nanos
            returning ctid::text as place`,
          values: [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column])),
        },
      ]

/**
 * The spend on each account, with the last receipt that is included: the head of the record and the days are written in one
 * transaction and read in one statement, so they agree. Plan: for each account a range scan of the primary key of spend_days.
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

/** The scope of this type that has spent the most in a period, of those whose id begins with `prefix`. */
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
