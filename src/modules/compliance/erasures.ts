import { type Selectable, sql, type Transaction } from 'kysely'
import { type Db, newId, type Tables } from '../../db/index.js'
import { notFound } from '../../errors.js'
import type { RecordEvent } from '../../ledger/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import type { Erasure } from './erasure-schema.js'

type ErasureRow = Selectable<Tables['erasures']>

/** Deletes the keys to users' commitments. Whatever it has begun it ends, after a restart too. */
export interface Erasures {
  /** Resolves when all keys are deleted. */
  erase(actor: Actor, userId: string): Promise<Erasure>
  close(): Promise<void>
}

// A transaction of this many entries takes some milliseconds, and holds nothing that a call waits for.
const stepEntries = 10_000

export function createErasures(options: {
  db: Db
  recordEvent: RecordEvent
  onError(error: unknown): void
}): Erasures {
  const { db, recordEvent, onError } = options
  const underWay = new Set<Promise<unknown>>()
  let closed = false

  function keep<T>(work: Promise<T>): Promise<T> {
    underWay.add(work)
    const done = () => underWay.delete(work)
    work.then(done, done)
    return work
  }

  /** Steps are taken under a lock: two replicas that are at the same one take turns. */
  async function finish(id: string): Promise<ErasureRow> {
    for (;;) {
      const row = await db.transaction().execute((tx) => takeStep(tx, id))
      if (row.finished_at !== null || closed) return row
    }
  }

  keep(
    listUnfinished(db).then(async (ids) => {
      for (const id of ids) await finish(id)
    }),
  ).catch(onError)

  return {
    async erase(actor, userId) {
      const { id } = await db.transaction().execute((tx) => begin(tx, actor, userId, recordEvent))
      return presentErasure(await keep(finish(id)))
    },
    async close() {
      closed = true
      await Promise.allSettled(underWay)
    },
  }
}

export const presentErasure = (row: ErasureRow): Erasure => ({
  id: row.id,
  userId: row.user_id,
  status: row.finished_at === null ? 'running' : 'done',
  throughSeq: row.control_seq - 1,
  erasedReceipts: row.erased,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
})

/** The record says first that it happens. Whose commitments they were it does not say. */
async function begin(
  tx: Transaction<Tables>,
  actor: Actor,
  userId: string,
  recordEvent: RecordEvent,
): Promise<ErasureRow> {
  const { tenantId, keyId } = actor
  const member = await tx
    .selectFrom('members')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!member) throw notFound('user')
  const id = newId('era')
  const who = {
    ...(keyId !== null && { key: keyId }),
    ...(actor.userId !== null && { user: actor.userId }),
  }
  const controlSeq = await recordEvent(tx, tenantId, { event: 'commitments.erase', subject: id, ...who })
  const row = await tx
    .insertInto('erasures')
    .values({
      id,
      tenant_id: tenantId,
      user_id: userId,
      control_seq: controlSeq,
      first_seq: null,
      last_seq: null,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordChange(tx, actor, {
    action: 'erasure.create',
    subjectId: id,
    before: null,
    after: presentErasure(row),
  })
  return row
}

async function takeStep(tx: Transaction<Tables>, id: string): Promise<ErasureRow> {
  const row = await tx
    .selectFrom('erasures')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (row.finished_at !== null) return row
  const last = row.control_seq - 1
  const doneTo = Math.min(row.done_to + stepEntries, last)
  const { erased, firstSeq, lastSeq } = await deleteKeys(tx, row, doneTo)
  return await tx
    .updateTable('erasures')
    .set({
      done_to: doneTo,
      erased: row.erased + erased,
      first_seq: row.first_seq ?? firstSeq,
      last_seq: lastSeq ?? row.last_seq,
      ...(doneTo >= last && { finished_at: sql<Date>`clock_timestamp()` }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** An entry names its user once, in quotes that no text within it can have: there they are escaped. */
async function deleteKeys(tx: Transaction<Tables>, row: ErasureRow, upTo: number) {
  const member = `"user":${JSON.stringify(row.user_id)},`
  const { rows } = await sql<{ erased: number; firstSeq: number | null; lastSeq: number | null }>`
    with erased as (
      update receipts set commitment_key = null
      where tenant_id = ${row.tenant_id} and seq > ${row.done_to} and seq <= ${upTo}
        and commitment_key is not null and strpos(canonical, ${member}) > 0
      returning seq)
    select count(*) as erased, min(seq) as "firstSeq", max(seq) as "lastSeq" from erased`.execute(tx)
  return rows[0] ?? { erased: 0, firstSeq: null, lastSeq: null }
}

async function listUnfinished(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('erasures')
    .select('id')
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Newest first. */
export async function listErasures(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<ErasureRow[]> {
  let query = db.selectFrom('erasures').selectAll().where('tenant_id', '=', tenantId)
  if (after !== null) query = query.where('id', '<', after)
  return await query.orderBy('id', 'desc').limit(limit).execute()
}

/** Where the record says that commitments of these entries were erased. */
export async function listErasuresWithin(
  db: Db,
  tenantId: string,
  { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('erasures')
    .select('control_seq')
    .where('tenant_id', '=', tenantId)
    .where('first_seq', '<=', toSeq)
    .where('last_seq', '>=', fromSeq)
    .orderBy('control_seq')
    .execute()
  return rows.map(({ control_seq }) => control_seq)
}
