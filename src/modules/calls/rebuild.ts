import { sql } from 'kysely'
import { type Db, locks, type Periodic, startPeriodic } from '../../db/index.js'
import { readRecordSize, readRecordStart } from '../../ledger/index.js'
import { buildCalls, deleteStrayCalls } from './build.js'
import type { Position } from './position.js'

const dayMs = 86_400_000
const receiptsPerStep = 1_000
const rowsPerSweep = 5_000

export interface RebuildProgress {
  done: number
  total: number
}

/** Builds all calls of a tenant from its record, and deletes what is not in it. */
export async function rebuildCalls(
  db: Db,
  tenantId: string,
  { retentionDays, onProgress }: { retentionDays: number; onProgress(progress: RebuildProgress): void },
): Promise<{ built: number; deleted: number }> {
  const notBefore = new Date(Date.now() - retentionDays * dayMs)
  // What is written from here on has its rows.
  const size = await readRecordSize(db, tenantId)
  const first = (await readRecordStart(db, tenantId)).range.size
  let built = 0
  for (let afterSeq = first; afterSeq < size; afterSeq += receiptsPerStep) {
    onProgress({ done: afterSeq - first, total: size - first })
    const upToSeq = Math.min(size, afterSeq + receiptsPerStep)
    const changed = await buildCalls(db, { tenantId, afterSeq, upToSeq, notBefore, onlyMissing: false })
    if (changed !== 'not claimed') built += changed
  }
  let deleted = 0
  for (let after: Position | null = null; ; ) {
    const swept = await deleteStrayCalls(db, tenantId, { after, upToSeq: size, rows: rowsPerSweep })
    deleted += swept.deleted
    if (swept.end === null) break
    after = swept.end
  }
  onProgress({ done: size - first, total: size - first })
  return { built, deleted }
}

// A step must not keep the event loop or a connection for long: calls are served beside it.
const receiptsPerBackgroundStep = 250
const intervalMs = 3_600_000

/**
 * Builds what the record has and `calls` lacks: everything after an upgrade, and what a replica of an earlier version writes during one. One
 * replica at a time; where one stops, the next goes on.
 */
export function startCatchingUp(options: {
  db: Db
  retentionDays: number
  onError(error: unknown): void
}): Periodic {
  const { db, retentionDays, onError } = options
  let closed = false
  const periodic = startPeriodic({
    async run() {
      const notBefore = new Date(Date.now() - retentionDays * dayMs)
      const tenants = await db.selectFrom('record_heads').select(['tenant_id', 'size']).execute()
      for (const { tenant_id, size } of tenants)
        while (!closed && (await catchUpStep(db, tenant_id, { size, notBefore })));
    },
    everyMs: intervalMs,
    startsAtOnce: true,
    onError,
  })
  return {
    wake: periodic.wake,
    async close() {
      closed = true
      await periodic.close()
    },
  }
}

/** Whether there is more to do, for this replica. */
async function catchUpStep(
  db: Db,
  tenantId: string,
  { size, notBefore }: { size: number; notBefore: Date },
): Promise<boolean> {
  const builtTo = await readBuiltTo(db, tenantId)
  const start = (await readRecordStart(db, tenantId)).range.size
  const afterSeq = Math.max(builtTo, start)
  if (afterSeq >= size) return false
  const upToSeq = Math.min(size, afterSeq + receiptsPerBackgroundStep)
  const span = { tenantId, afterSeq, upToSeq, notBefore, onlyMissing: true }
  const built = await buildCalls(db, span, async (tx) => {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_xact_lock(${locks.rebuildCalls}) as got`.execute(tx)
    if (!rows[0]?.got || (await readBuiltTo(tx, tenantId)) !== builtTo) return false
    await tx
      .insertInto('calls_built')
      .values({ tenant_id: tenantId, upto: upToSeq })
      .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ upto: upToSeq }))
      .execute()
    return true
  })
  return built !== 'not claimed' && upToSeq < size
}

async function readBuiltTo(db: Db, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('calls_built')
    .select('upto')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.upto ?? 0
}
