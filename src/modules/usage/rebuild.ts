import { CompiledQuery, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../db/index.js'
import { type Entry, readDraft, readRecordSize, readRecordStart } from '../../ledger/index.js'
import { noTags } from '../../tags.js'
import { closeDays, lockForCounting } from './closed-days.js'
import { countReceipt } from './projection.js'
import { addToHours, type CountedCalls } from './rollup.js'
import { emptySum } from './usage-sum.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Counts the calls of a tenant again, from the receipts that are kept, one hour at a time, while the service runs. Refusals by a rate
 * limit leave no receipt: they stay as they were counted. So do the hours of which receipts were dropped.
 */
export async function rebuildUsage(
  db: Db,
  tenantId: string,
  onProgress: (progress: { done: number; total: number }) => void,
): Promise<{ hours: number }> {
  const size = await readRecordSize(db, tenantId)
  const since = await firstHour(db, tenantId)
  const now = Date.now()
  if (since === null) return { hours: 0 }
  const total = Math.max(0, Math.floor((now - since) / hourMs) + 1)
  let hours = 0
  for (let done = 0; done < total; done++) {
    onProgress({ done, total })
    if (await rebuildHour(db, tenantId, new Date(since + done * hourMs), size)) hours++
  }
  onProgress({ done: total, total })
  await closeDays(db, new Date(now))
  return { hours }
}

/**
 * Receipts are numbered as calls end, so calls of a day before the first one that is kept may be among those that were dropped. Where
 * none were, everything that was ever counted is counted again.
 */
async function firstHour(db: Db, tenantId: string): Promise<number | null> {
  const dropped = (await readRecordStart(db, tenantId)).range.size
  const { rows } = await sql<{ first: Date | null; counted: Date | null }>`
    select (select ts from receipts where tenant_id = ${tenantId} and seq > ${dropped} order by seq limit 1) as first,
      (select min(hour) from usage_hours where tenant_id = ${tenantId}) as counted`.execute(db)
  const { first = null, counted = null } = rows[0] ?? {}
  if (first === null) return null
  const dayOf = (at: Date) => Math.floor(at.getTime() / dayMs) * dayMs
  if (dropped > 0) return dayOf(first) + 2 * dayMs
  return Math.min(dayOf(first) - dayMs, dayOf(counted ?? first))
}

/** Most receipts are read before the lock; under it, only those that came meanwhile. Calls of the tenant wait for some milliseconds. */
async function rebuildHour(db: Db, tenantId: string, hour: Date, size: number): Promise<boolean> {
  const known = await readEntries(db, tenantId, hour, sql`seq <= ${size}`)
  if (known.length === 0 && !(await isCounted(db, tenantId, hour))) return false
  await inTransaction(db, async (tx) => {
    await lockForCounting(tx, [tenantId])
    const entries = [...known, ...(await readEntries(tx, tenantId, hour, sql`seq > ${size}`))]
    const adjusted = await readAdjusted(tx, tenantId, entries)
    const counted = entries.map((entry) => {
      const call = countReceipt({ tenantId, draft: readDraft(entry) })
      call.sum.costNanos += adjusted.get(entry.seq) ?? 0
      return call
    })
    const refused = await takeRefused(tx, tenantId, hour)
    for (const { text, values } of addToHours([...counted, ...refused]))
      await tx.executeQuery(CompiledQuery.raw(text, values))
  })
  return true
}

async function readEntries(
  db: Db,
  tenantId: string,
  hour: Date,
  place: ReturnType<typeof sql>,
): Promise<Entry[]> {
  const { rows } = await sql<{ canonical: string }>`
    select canonical from receipts where tenant_id = ${tenantId} and ${place}
      and ts >= ${hour} and ts < ${new Date(hour.getTime() + hourMs)}`.execute(db)
  return rows.map(({ canonical }): Entry => JSON.parse(canonical)).filter(({ kind }) => kind !== 'control')
}

async function isCounted(db: Db, tenantId: string, hour: Date): Promise<boolean> {
  const row = await db
    .selectFrom('usage_hours')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .where('hour', '=', hour)
    .where('requests', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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

/** Deletes all rows of an hour, and answers what no receipt tells. */
async function takeRefused(tx: Tx, tenantId: string, hour: Date): Promise<CountedCalls[]> {
  const rows = await tx
    .deleteFrom('usage_hours')
    .where('tenant_id', '=', tenantId)
    .where('hour', '=', hour)
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
