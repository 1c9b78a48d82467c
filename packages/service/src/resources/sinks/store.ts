import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db/index.js'
import { orNameTaken } from '../../db/index.js'
import { conflict } from '../../shared/errors.js'

export type SinkRow = Selectable<Tables['sinks']>

export const sinkJob = 'sinks'
const maxSinks = 100

type NewSink = Pick<
  SinkRow,
  | 'id'
  | 'tenant_id'
  | 'name'
  | 'data'
  | 'format'
  | 'destination'
  | 'sealed_secrets'
  | 'interval_s'
  | 'enabled'
>

export async function insertSink(tx: Tx, row: NewSink): Promise<SinkRow> {
  return await orNameTaken('sink', row.name, () =>
    tx
      .insertInto('sinks')
      .values({
        ...row,
        destination: JSON.stringify(row.destination),
        position: null,
        batch_end: null,
        last_success_at: null,
        last_error: null,
        last_error_at: null,
        deleted_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** The tenant's row is locked, so that concurrent creations cannot exceed the limit. */
export async function requireRoomForSink(tx: Tx, tenantId: string): Promise<void> {
  await sql`select from tenants where id = ${tenantId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('sinks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= maxSinks) throw conflict(`A tenant has at most ${maxSinks} sinks; delete one first`)
}

/** Also finds a deleted sink: deleting it again succeeds, unlike deleting one that never existed. */
export async function lockSink(tx: Tx, tenantId: string, id: string): Promise<SinkRow | undefined> {
  return await tx
    .selectFrom('sinks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

type Changes = Partial<
  Pick<SinkRow, 'name' | 'destination' | 'sealed_secrets' | 'interval_s' | 'enabled' | 'deleted_at'>
>

export async function updateSinkRow(tx: Tx, row: SinkRow, changes: Changes): Promise<SinkRow> {
  const { destination, ...others } = changes
  return await orNameTaken('sink', changes.name ?? row.name, () =>
    tx
      .updateTable('sinks')
      .set({
        ...others,
        ...(destination && { destination: JSON.stringify(destination) }),
        updated_at: sql<Date>`clock_timestamp()`,
      })
      .where('tenant_id', '=', row.tenant_id)
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** A sink and the age of the oldest entry that it has not exported. */
export interface SinkView extends SinkRow {
  lag_seconds: number
}

/** The time of the oldest entry that the sink `s` has not exported. Plan: the first row of a range of an index. */
export const oldestWaiting = sql<Date | null>`case
  when s.data = 'audit' then (
    select a.at from audit_log a
    where a.tenant_id = s.tenant_id and (a.at, a.id) > (
      split_part(coalesce(s.position, '-infinity '), ' ', 1)::timestamptz, split_part(coalesce(s.position, ''), ' ', 2))
    order by a.at, a.id limit 1)
  else (
    select r.ts from receipts r
    where r.tenant_id = s.tenant_id and r.seq > coalesce(s.position, '0')::bigint order by r.seq limit 1)
  end`

const lagSeconds = sql<number>`greatest(0, coalesce(extract(epoch from now() - ${oldestWaiting}), 0))::float8`

const selectSinks = (db: Db, tenantId: string) =>
  db
    .selectFrom('sinks as s')
    .selectAll()
    .select(lagSeconds.as('lag_seconds'))
    .where('s.tenant_id', '=', tenantId)
    .where('s.deleted_at', 'is', null)

export async function findSink(db: Db, tenantId: string, id: string): Promise<SinkView | undefined> {
  return await selectSinks(db, tenantId).where('s.id', '=', id).executeTakeFirst()
}

export async function listSinks(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<SinkView[]> {
  let query = selectSinks(db, tenantId)
  if (after !== null) query = query.where('s.id', '<', after)
  return await query.orderBy('s.id', 'desc').limit(limit).execute()
}
