import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../db/index.js'

export type AnchorType = 'file' | 'rfc3161'
export type AnchorRow = Pick<
  Selectable<Tables['anchors']>,
  'type' | 'size' | 'note' | 'token' | 'anchored_at'
> & { day: string }

/** The last checkpoint of a day that is over. */
export interface DueCheckpoint {
  tenantId: string
  /** 2026-11-15, in UTC. */
  day: string
  size: number
  note: string
}

/** The last checkpoint of each day since the last anchor, oldest first. Reads only seals that are not anchored yet. */
export async function listDueCheckpoints(
  db: Db,
  tenantId: string,
  type: AnchorType,
  before: Date,
): Promise<DueCheckpoint[]> {
  const { rows } = await sql<DueCheckpoint>`
    select distinct on (day) tenant_id as "tenantId", day::text as day, size, note
    from (
      select tenant_id, (created_at at time zone 'UTC')::date as day, size, note from seals
      where tenant_id = ${tenantId} and created_at < ${before}
        and size > coalesce((select max(size) from anchors where tenant_id = ${tenantId} and type = ${type}), 0)
    ) s
    order by day, size desc`.execute(db)
  return rows
}

/** Replaces an earlier anchor of the same day: the larger checkpoint covers the smaller one. */
export async function saveAnchor(
  db: Db,
  { tenantId, day, size, note }: DueCheckpoint,
  made: { type: AnchorType; target: string; token: Buffer | null },
): Promise<void> {
  const columns = {
    size,
    note,
    target: made.target,
    token: made.token,
    anchored_at: sql<Date>`clock_timestamp()`,
  }
  await db
    .insertInto('anchors')
    .values({ tenant_id: tenantId, type: made.type, day, ...columns })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'type', 'day']).doUpdateSet(columns))
    .execute()
}

const columns = ['type', 'size', 'note', 'token', 'anchored_at', sql<string>`day::text`.as('day')] as const

/** Newest first; `after` is a day and a type, as in `2026-11-15 file`. */
export async function listAnchors(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<AnchorRow[]> {
  let query = db.selectFrom('anchors').select(columns).where('tenant_id', '=', tenantId)
  if (after !== null) query = query.where(sql<boolean>`day::text || ' ' || type < ${after} collate "C"`)
  return await query.orderBy('day', 'desc').orderBy('type', 'desc').limit(limit).execute()
}

/** The first anchor that covers an entry, which is the oldest evidence for it; otherwise the newest anchor. */
export async function findAnchorOver(db: Db, tenantId: string, seq: number): Promise<AnchorRow | undefined> {
  const anchors = db.selectFrom('anchors').select(columns).where('tenant_id', '=', tenantId)
  const first =
    seq > 0 && (await anchors.where('size', '>=', seq).orderBy('size').limit(1).executeTakeFirst())
  return first || (await anchors.orderBy('size', 'desc').limit(1).executeTakeFirst())
}

/** When a checkpoint of any record was last anchored. There is one row for each tenant and day. */
export async function readLastAnchor(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('anchors')
    .select((eb) => eb.fn.max('anchored_at').as('last'))
    .executeTakeFirst()
  return row?.last ?? null
}
