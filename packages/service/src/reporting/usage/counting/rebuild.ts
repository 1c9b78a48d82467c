import { CompiledQuery, sql } from 'kysely'
import { type Db, inBoundedTransaction, type Tx } from '../../../db/index.js'
import { type Entry, readRecordSize, readRecordStart } from '../../../record/index.js'
import { noTags } from '../../../shared/tags.js'
import { closeDays } from './closed-days.js'
import type { CountedCalls } from './counted-calls.js'
import { foldStep, foldTenant, lockForCounting } from './fold.js'
import { countReceipt } from './projection.js'
import { boundTags } from './rare-tags.js'
import { addToHours } from './totals.js'
import { emptySum } from './usage-sum.js'

const hourMs = 3_600_000

/**
 * Counts the calls of a tenant again from the stored receipts, one hour at a time, while the service runs. Refusals
 * by a rate limit leave no receipt and stay as they were counted. Once receipts were dropped from the record, hours
 * that counted more calls than they have receipts also stay, because they are the only source. `left` is the number
 * of these hours.
 */
export async function rebuildUsage(
  db: Db,
  tenantId: string,
  onProgress: (progress: { done: number; total: number }) => void,
): Promise<{ hours: number; left: number }> {
  const size = await readRecordSize(db, tenantId)
  const since = await firstHour(db, tenantId)
  const now = Date.now()
  const total = since === null ? 0 : Math.max(0, Math.floor((now - since) / hourMs) + 1)
  const hours = { rebuilt: 0, left: 0, empty: 0 }
  for (let done = 0; since !== null && done < total; done++) {
    onProgress({ done, total })
    hours[await rebuildHour(db, tenantId, new Date(since + done * hourMs), size)]++
  }
  onProgress({ done: total, total })
  await closeDays(db, new Date(now))
  return { hours: hours.rebuilt, left: hours.left }
}

/**
 * Receipts are numbered as calls end, which may be days after they were admitted: the first one is not the oldest.
 */
async function firstHour(db: Db, tenantId: string): Promise<number | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select least((select min(ts) from receipts where tenant_id = ${tenantId}),
      (select min(hour) from usage_hours where tenant_id = ${tenantId})) as first`.execute(db)
  const first = rows[0]?.first ?? null
  return first && Math.floor(first.getTime() / hourMs) * hourMs
}

/**
 * Most receipts are read and folded before the lock; under it, only those that arrived in the meantime. The tenant's
 * calls wait for a few milliseconds.
 */
async function rebuildHour(
  db: Db,
  tenantId: string,
  hour: Date,
  size: number,
): Promise<'rebuilt' | 'left' | 'empty'> {
  const known = await readEntries(db, tenantId, hour, sql`seq <= ${size}`)
  if (known.length === 0 && (await readCountedUsage(db, tenantId, hour)) === 0) return 'empty'
  await foldTenant(db, tenantId)
  return await inBoundedTransaction(db, async (tx) => {
    // No receipt can be recorded and no row folded from here on, so the total of the hour includes every receipt that
    // is read below.
    await sql`select from record_heads where tenant_id = ${tenantId} for no key update`.execute(tx)
    const { text, values } = lockForCounting([tenantId])
    await tx.executeQuery(CompiledQuery.raw(text, values))
    while ((await foldStep(tx, tenantId)) > 0);
    const { size: dropped } = (await readRecordStart(tx, tenantId)).range
    const entries = [...known, ...(await readEntries(tx, tenantId, hour, sql`seq > ${size}`))]
    if (dropped > 0 && (await readCountedUsage(tx, tenantId, hour)) > entries.length) return 'left'
    const adjusted = await readAdjusted(tx, tenantId, entries)
    const counted = entries.map((entry) => {
      const call = countReceipt({ tenantId, draft: entry })
      call.sum.costNanos += adjusted.get(entry.seq) ?? 0
      return call
    })
    const refusals = await deleteHour(tx, tenantId, hour)
    for (const { text, values } of addToHours([...boundTags(counted), ...refusals]))
      await tx.executeQuery(CompiledQuery.raw(text, values))
    return 'rebuilt'
  })
}

async function readEntries(
  db: Db,
  tenantId: string,
  hour: Date,
  range: ReturnType<typeof sql>,
): Promise<Entry[]> {
  const { rows } = await sql<{ canonical: string }>`
    select canonical from receipts where tenant_id = ${tenantId} and ${range}
      and ts >= ${hour} and ts < ${new Date(hour.getTime() + hourMs)}`.execute(db)
  return rows.map(({ canonical }): Entry => JSON.parse(canonical)).filter(({ kind }) => kind !== 'control')
}

async function readCountedUsage(db: Db, tenantId: string, hour: Date): Promise<number> {
  const { rows } = await sql<{ requests: number }>`
    select coalesce(sum(requests), 0)::bigint as requests from usage_hours
    where tenant_id = ${tenantId} and hour >= ${hour} and hour < ${new Date(hour.getTime() + hourMs)}`.execute(
    db,
  )
  return rows[0]?.requests ?? 0
}

async function readAdjusted(
  tx: Tx,
  tenantId: string,
  entries: readonly Entry[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ adjusts: number; nanos: number }>`
    select adjusts, sum(cost_nanos)::bigint as nanos from adjustments
    where tenant_id = ${tenantId} and adjusts = any(${entries.map(({ seq }) => seq)}) group by adjusts`.execute(
    tx,
  )
  return new Map(rows.map(({ adjusts, nanos }) => [adjusts, nanos]))
}

/** Deletes all rows of an hour, and returns its refusals, which have no receipts. */
async function deleteHour(tx: Tx, tenantId: string, hour: Date): Promise<CountedCalls[]> {
  const rows = await tx
    .deleteFrom('folded_usage_hours')
    .where('tenant_id', '=', tenantId)
    .where('hour', '>=', hour)
    .where('hour', '<', new Date(hour.getTime() + hourMs))
    .returning(['key_id', 'user_id', 'team_id', 'provider', 'model', 'rate_limited'])
    .execute()
  return rows
    .filter((row) => row.rate_limited > 0)
    .map((row) => ({
      at: hour.toISOString(),
      dimensions: {
        tenantId,
        keyId: row.key_id || null,
        userId: row.user_id || null,
        teamId: row.team_id || null,
        provider: row.provider || null,
        model: row.model || null,
        outcome: null,
        tags: noTags,
      },
      sum: { ...emptySum(), rateLimited: row.rate_limited },
    }))
}
