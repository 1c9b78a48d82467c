import { sql } from 'kysely'
import { type Db, inTransaction, locks, type Periodic, startPeriodic, type Tx } from '../../db/index.js'

const everyMs = 3_600_000
const sealsPerStep = 10_000

export interface ThinSealsOptions {
  db: Db
  /** Newer seals are all kept. */
  olderThanDays: number
  now(): Date
  onError(error: unknown): void
}

/**
 * Removes old seals but the last of each hour. Every group of entries is sealed, so there is a seal for every few entries; as each
 * covers all entries before it, one an hour is enough for every proof.
 */
export function startThinningSeals({ db, olderThanDays, now, onError }: ThinSealsOptions): Periodic {
  const run = () => thinSeals(db, new Date(now().getTime() - olderThanDays * 86_400_000))
  return startPeriodic({ run, everyMs, startsAtOnce: true, onError })
}

/** Returns how many seals were removed. */
export async function thinSeals(db: Db, before: Date, perStep = sealsPerStep): Promise<number> {
  let removed = 0
  for (const { id } of await db.selectFrom('tenants').select('id').orderBy('id').execute()) {
    for (;;) {
      const step = await thinStep(db, id, before, perStep)
      removed += step.removed
      if (!step.hasMore) break
    }
  }
  return removed
}

interface StoredSeal {
  size: number
  keyId: string
  hour: number
}

async function thinStep(db: Db, tenantId: string, before: Date, perStep: number) {
  return await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${locks.sealThinning}) as locked`.execute(tx)
    // Another replica holds the lock.
    if (!rows[0]?.locked) return { removed: 0, hasMore: false }
    const seals = await readNextSeals(tx, tenantId, before, perStep)
    const hasMore = seals.length === perStep
    // Whether the last seal of a full step ends its hour is not known yet: the next step reads it again.
    const last = hasMore ? seals.at(-2) : seals.at(-1)
    if (last === undefined) return { removed: 0, hasMore: false }
    const surplus = seals.filter((seal, i) => !isLastOfHour(seal, seals[i + 1])).map(({ size }) => size)
    const { numAffectedRows = 0n } = await sql`
      delete from seals s where tenant_id = ${tenantId} and size = any(${surplus}::bigint[])
        and not exists (select from anchors a where a.tenant_id = s.tenant_id and a.size = s.size)`.execute(
      tx,
    )
    await sql`
      insert into seal_thinning (tenant_id, size) values (${tenantId}, ${last.size})
      on conflict (tenant_id) do update set size = excluded.size`.execute(tx)
    return { removed: Number(numAffectedRows), hasMore }
  })
}

async function readNextSeals(tx: Tx, tenantId: string, before: Date, limit: number): Promise<StoredSeal[]> {
  const { rows } = await sql<StoredSeal>`
    select size, key_id as "keyId", floor(extract(epoch from created_at) / 3600)::float8 as hour from seals
    where tenant_id = ${tenantId} and created_at < ${before}
      and size > coalesce((select size from seal_thinning where tenant_id = ${tenantId}), 0)
    order by size limit ${limit}`.execute(tx)
  return rows
}

/** Seals of each key are kept: an attestation names the keys that sealed its span. */
const isLastOfHour = (seal: StoredSeal, next: StoredSeal | undefined): boolean =>
  next === undefined || next.hour !== seal.hour || next.keyId !== seal.keyId
