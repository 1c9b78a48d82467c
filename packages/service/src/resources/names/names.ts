import { sql } from 'kysely'
import type { Db, Tx } from '../../db/index.js'

export type NamedType = 'key' | 'user' | 'team' | 'policy' | 'budget'

/** An object whose name is wanted, and the time. */
export interface WantedName {
  type: NamedType
  id: string
  at: Date
}

/** Returns null for an object that had no name, or is not known. */
export type FindName = (wanted: WantedName) => string | null

/**
 * Reads the names that objects had at a time: for a page of rows, in one statement. For times before the first
 * known name, that name is returned. Plan: for each name one or two index scans of one row; 1,000 of them take a
 * few milliseconds.
 */
export async function namesAt(db: Db, tenantId: string, wanted: readonly WantedName[]): Promise<FindName> {
  const distinct = [...new Map(wanted.map((each) => [keyOf(each), each])).values()]
  if (distinct.length === 0) return () => null
  const { rows } = await sql<{ ordinal: number; name: string | null }>`
    select w.ordinal, n.name
    from unnest(${distinct.map(({ type }) => type)}::text[], ${distinct.map(({ id }) => id)}::text[],
      ${distinct.map(({ at }) => at.toISOString())}::timestamptz[]) with ordinality as w (type, id, at, ordinal)
    cross join lateral (
      select name from (
        (select 1 as choice, name from names
          where tenant_id = ${tenantId} and type = w.type and id = w.id and since <= w.at order by since desc limit 1)
        union all
        (select 2 as choice, name from names
          where tenant_id = ${tenantId} and type = w.type and id = w.id order by since limit 1)
      ) as known order by choice limit 1
    ) as n`.execute(db)
  const names = new Map<string, string | null>()
  for (const { ordinal, name } of rows) {
    const each = distinct[ordinal - 1]
    if (each) names.set(keyOf(each), name)
  }
  return (each) => names.get(keyOf(each)) ?? null
}

const keyOf = ({ type, id, at }: WantedName): string => `${type}\n${id}\n${at.getTime()}`

/** Deletes the names of these objects at any past time. A name that is given later applies from then on. */
export async function forgetNames(
  tx: Tx,
  tenantId: string,
  named: readonly Omit<WantedName, 'at'>[],
): Promise<void> {
  const pairs = sql`unnest(${named.map(({ type }) => type)}::text[], ${named.map(({ id }) => id)}::text[])`
  await sql`delete from names where tenant_id = ${tenantId} and (type, id) in (select * from ${pairs})`.execute(
    tx,
  )
  await sql`insert into names (tenant_id, type, id, since, name)
    select ${tenantId}, type, id, '-infinity', null from ${pairs} as forgotten (type, id)`.execute(tx)
}
