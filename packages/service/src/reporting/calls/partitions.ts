import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  connectPipelined,
  type Db,
  inTransaction,
  locks,
  type Periodic,
  startPeriodic,
  type Tx,
} from '../../db/index.js'
import { hasCode } from '../../shared/error-code.js'

// A partition is a week. Some are created in advance; rows without a partition go to the default one, so that no
// receipt is refused.
const aheadMs = 28 * 86_400_000
const dayMs = 86_400_000
const intervalMs = 600_000
/** Longer than any call takes: a week gets its indexes when almost nothing is written to it any more. */
const settledMs = 3_600_000
// Waiting for a lock on the whole table blocks writers, so the attempt is abandoned after this time and repeated later.
const lockTimeoutMs = 300
const indexTimeoutMs = 3_600_000
// Longer than any report takes to read.
const retryAfterMs = 1_000
const maxAttempts = 20
const lockNotAvailable = '55P03'

/** The indexes that searches use, by the suffix of their names. `search.ts` documents which serves what. */
const indexes: Record<string, string> = {
  key: '(tenant_id, key_id, ts, seq)',
  user: '(tenant_id, user_id, ts, seq)',
  team: '(tenant_id, team_id, ts, seq)',
  model: '(tenant_id, model, ts, seq)',
  provider: '(tenant_id, provider, ts, seq)',
  outcome: '(tenant_id, outcome, ts, seq)',
  session: '(tenant_id, session, ts, seq)',
  route: '(tenant_id, route, ts, seq) where route is not null',
  agent: '(tenant_id, agent, ts, seq) where agent is not null',
  cache: '(tenant_id, cache, ts, seq) where cache is not null',
  batch: '(tenant_id, batch, ts, seq) where batch is not null',
  kind: '(tenant_id, kind, ts, seq)',
  tool: '(tenant_id, tool, ts, seq) where tool is not null',
  request: '(request_id)',
  cost: '(tenant_id, cost_nanos)',
  policy: 'using gin (policy_ids)',
  tag: 'using gin (tags jsonb_path_ops)',
}

/**
 * Creates the missing partitions for a span. Code that writes calls of past weeks in bulk calls this first: the
 * default partition is for single rows.
 */
export async function makePartitions(db: Db, since: Date, until: Date): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await inTransaction(db, (tx) => makeWithoutDelay(tx, since, until))
      return
    } catch (error) {
      if (!hasCode(error, lockNotAvailable) || attempt === maxAttempts) throw error
      await pause(retryAfterMs)
    }
  }
}

/**
 * Gives up instead of blocking writers: attaching a partition waits for all readers of calls, and writers wait for
 * it.
 */
async function makeWithoutDelay(tx: Tx, since: Date, until: Date): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx)
  await sql`select make_calls_partitions(${since}, ${until})`.execute(tx)
}

interface PartitionOptions {
  db: Db
  databaseUrl: string
  retentionDays: number
  now(): Date
  onError(error: unknown): void
}

/** Maintains the partitions: creates those of the coming weeks, drops expired ones, and indexes completed ones. */
export function startPartitionMaintenance(options: PartitionOptions): Periodic {
  const { db, databaseUrl, retentionDays, now, onError } = options
  const stopping = new AbortController()
  const periodic = startPeriodic({
    async run() {
      const at = now()
      await makeAhead(db, at)
      await dropExpired(db, new Date(at.getTime() - retentionDays * dayMs))
      await indexFinished({
        db,
        databaseUrl,
        before: new Date(at.getTime() - settledMs),
        signal: stopping.signal,
      })
    },
    everyMs: intervalMs,
    startsAtOnce: true,
    onError: (error) => stopping.signal.aborted || onError(error),
  })
  return {
    wake: periodic.wake,
    async close() {
      stopping.abort()
      await periodic.close()
    },
  }
}

/** Runs on one replica at a time; the others skip it. */
async function underLock(db: Db, act: (tx: Tx) => Promise<void>): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_xact_lock(${locks.callPartitions}) as got`.execute(tx)
    if (!rows[0]?.got) return
    await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(tx)
    await act(tx)
  })
}

async function makeAhead(db: Db, at: Date): Promise<void> {
  await underLock(db, (tx) => makeWithoutDelay(tx, at, new Date(at.getTime() + aheadMs)))
}

/**
 * Drops expired weeks as a whole, and expired rows of the default partition. The record has its own retention
 * rules.
 */
export async function dropExpired(db: Db, before: Date): Promise<void> {
  const expired = await db
    .selectFrom('calls_partitions')
    .select('name')
    .where('until', '<=', before)
    .orderBy('until')
    .execute()
  // One transaction each, so that the lock on the whole table is held as briefly as possible.
  for (const { name } of expired)
    await underLock(db, async (tx) => {
      await sql`drop table if exists ${sql.table(name)}`.execute(tx)
      await tx.deleteFrom('calls_partitions').where('name', '=', name).execute()
    })
  await sql`delete from calls_default where ts < ${before}`.execute(db)
}

/**
 * Indexes without blocking writers. It uses its own connection, since it may take minutes and cannot run in a
 * transaction. An index from an interrupted attempt is invalid and is created again.
 */
async function indexFinished(options: {
  db: Db
  databaseUrl: string
  before: Date
  signal: AbortSignal
}): Promise<void> {
  const { db, databaseUrl, before, signal } = options
  const due = db
    .selectFrom('calls_partitions')
    .select('name')
    .where('until', '<', before)
    .where('indexed', '=', false)
    .orderBy('since', 'desc')
  if (signal.aborted || (await due.execute()).length === 0) return
  const connection = await connectPipelined(databaseUrl, {
    answerTimeoutMs: indexTimeoutMs,
    signal,
    onLost: () => undefined,
  })
  const run = (text: string) => connection.read<{ found: boolean }>({ text, values: [] })
  try {
    const [lock] = await run(`select pg_try_advisory_lock(${locks.callIndexes}) as found`)
    if (!lock?.found) return
    // Another replica may have finished while this one waited for the lock.
    for (const { name } of await due.execute()) {
      for (const [suffix, definition] of Object.entries(indexes)) {
        const index = `${name}_by_${suffix}`
        const [valid] = await run(
          `select indisvalid as found from pg_index where indexrelid = to_regclass('${index}')`,
        )
        if (valid?.found) continue
        if (valid) await run(`drop index concurrently if exists ${index}`)
        await run(`create index concurrently ${index} on ${name} ${definition}`)
      }
      await run(`analyze ${name}`)
      await db.updateTable('calls_partitions').set({ indexed: true }).where('name', '=', name).execute()
    }
  } finally {
    if (signal.aborted) connection.destroy()
    else await connection.close()
  }
}
