import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../../db/index.js'
import { cancelJobs } from '../../../jobs/index.js'
import { eraseBatches } from '../../batches/index.js'
import { eraseContent } from '../../content/index.js'
import { eraseReferences } from '../../references/index.js'
import { eraseCachedAnswers } from '../../response-cache/index.js'
import { forgetPerson } from './forget-person.js'

/** The name of this kind of job. */
export const erasureJob = 'erasure'

export type ErasureRow = Selectable<Tables['erasures']>

export async function hasMember(tx: Tx, tenantId: string, userId: string): Promise<boolean> {
  const member = await tx
    .selectFrom('members')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return member !== undefined
}

export async function insertErasure(
  tx: Tx,
  row: Pick<ErasureRow, 'id' | 'tenant_id' | 'user_id' | 'control_seq'>,
): Promise<ErasureRow> {
  return await tx
    .insertInto('erasures')
    .values({ ...row, first_seq: null, last_seq: null, finished_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

// A transaction of this many entries takes a few milliseconds, and holds no lock that a call waits for.
const entriesPerStep = 10_000

/**
 * Erases one range of entries; with the last range, also the captured content of the person's calls and the
 * person's data. The lock on the row makes replicas that run the same erasure alternate.
 */
export async function runErasureStep(tx: Tx, id: string): Promise<ErasureRow> {
  const row = await tx
    .selectFrom('erasures')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (row.finished_at !== null) return row
  const last = row.control_seq - 1
  const doneTo = Math.min(row.done_to + entriesPerStep, last)
  const { erased, firstSeq, lastSeq } = await deleteKeys(tx, row, doneTo)
  if (doneTo >= last) {
    const whose = { tenantId: row.tenant_id, userId: row.user_id }
    await eraseContent(tx, whose)
    await eraseCachedAnswers(tx, whose)
    await eraseBatches(tx, whose)
    await eraseReferences(tx, whose)
    await forgetPerson(tx, whose)
    await cancelJobs(sql`${id}`).execute(tx)
  }
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

/** The user is found by `"user":"…",` in the entry's text. No value can contain it: quotes in values are escaped. */
async function deleteKeys(tx: Tx, row: ErasureRow, upTo: number) {
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

/** Lists the control entries of the erasures that erased commitments between two entries. */
export async function listErasureEntries(
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
