import { sql } from 'kysely'
import { type Db, inTransaction, locks, type Tx } from '../../db/index.js'

const dayMs = 86_400_000
const prefix = 'call_content_'

/** A day of content, in UTC. */
export interface Partition {
  name: string
  fromMs: number
  toMs: number
}

export function partitionOf(at: Date): Partition {
  const fromMs = Math.floor(at.getTime() / dayMs) * dayMs
  const day = new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '')
  return { name: `${prefix}${day}`, fromMs, toMs: fromMs + dayMs }
}

/** Replicas that need the same day create it one after the other. */
export async function createPartition(db: Db, { name, fromMs, toMs }: Partition): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockPartitions(tx)
    const from = sql.lit(new Date(fromMs).toISOString())
    const to = sql.lit(new Date(toMs).toISOString())
    await sql`create table if not exists ${sql.table(name)} partition of call_content
      for values from (${from}) to (${to})`.execute(tx)
  })
}

/**
 * Drops partitions that contain only content from before `until`. Never waits long for a lock: it is tried again.
 */
export async function dropPartitionsBefore(db: Db, until: Date): Promise<number> {
  const due = (await listPartitions(db)).filter(({ toMs }) => toMs <= until.getTime())
  for (const { name } of due) {
    await inTransaction(db, async (tx) => {
      await sql`set local lock_timeout = '5s'`.execute(tx)
      await lockPartitions(tx)
      await sql`drop table if exists ${sql.table(name)}`.execute(tx)
    })
  }
  return due.length
}

async function listPartitions(db: Db): Promise<Partition[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits
    join pg_class child on child.oid = inhrelid
    where inhparent = 'call_content'::regclass order by name`.execute(db)
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = /^call_content_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
    return day === undefined ? [] : [partitionOf(new Date(`${year}-${month}-${day}T00:00:00Z`))]
  })
}

async function lockPartitions(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${locks.contentPartitions})`.execute(tx)
}
