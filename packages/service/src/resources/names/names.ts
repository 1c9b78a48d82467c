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

interface KnownName {
  ordinal: number
  /** In milliseconds since the epoch, with its microseconds as a fraction. */
  since: number
  name: string | null
}

/**
 * Reads the names that objects had at some times: for a page of rows, in one statement, with one look-up for each
 * object however many rows it is in. For times before the first known name, that name is returned. Plan: for each
 * object an index range of its names, from the one at the earliest time up to the one at the latest.
 */
export async function namesAt(db: Db, tenantId: string, wanted: readonly WantedName[]): Promise<FindName> {
  const objects = objectsIn(wanted)
  if (objects.length === 0) return () => null
  const ofObject = sql`tenant_id = ${tenantId} and type = w.type and id = w.id`
  const { rows } = await sql<KnownName>`
    select w.ordinal, (extract(epoch from n.since) * 1000)::float8 as since, n.name
    from unnest(${objects.map(({ type }) => type)}::text[], ${objects.map(({ id }) => id)}::text[],
      ${objects.map(({ first }) => new Date(first).toISOString())}::timestamptz[],
      ${objects.map(({ last }) => new Date(last).toISOString())}::timestamptz[]) with ordinality as w (type, id, first, last, ordinal)
    cross join lateral (
      select coalesce((select max(since) from names where ${ofObject} and since <= w.first),
        (select min(since) from names where ${ofObject})) as since) as earliest
    join names n on n.tenant_id = ${tenantId} and n.type = w.type and n.id = w.id
      and n.since >= earliest.since and n.since <= greatest(w.last, earliest.since)
    order by n.since`.execute(db)
  const names = new Map<string, KnownName[]>(objects.map((object) => [keyOf(object), []]))
  for (const row of rows) {
    const object = objects[row.ordinal - 1]
    if (object) names.get(keyOf(object))?.push(row)
  }
  return (each) => {
    const known = names.get(keyOf(each)) ?? []
    return (known.findLast(({ since }) => since <= each.at.getTime()) ?? known[0])?.name ?? null
  }
}

/** Returns each object once, with the earliest and the latest time at which its name is wanted. */
function objectsIn(wanted: readonly WantedName[]) {
  const objects = new Map<string, Omit<WantedName, 'at'> & { first: number; last: number }>()
  for (const { type, id, at } of wanted) {
    const ms = at.getTime()
    const object = objects.get(keyOf({ type, id }))
    if (object === undefined) objects.set(keyOf({ type, id }), { type, id, first: ms, last: ms })
    else {
      object.first = Math.min(object.first, ms)
      object.last = Math.max(object.last, ms)
    }
  }
  return [...objects.values()]
}

const keyOf = ({ type, id }: Omit<WantedName, 'at'>): string => `${type}\n${id}`

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
