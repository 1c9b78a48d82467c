import { sql } from 'kysely'
import type { Gateway } from '../../calls/model/index.js'
import { type Database, type Db, inTransaction, startPeriodic } from '../../db/index.js'
import type { StalledReaders } from '../../http/index.js'
import type { Metrics } from '../../observability/index.js'
import { type Ledger, readLastAnchor } from '../../record/index.js'
import { countUnfolded } from '../../reporting/usage/index.js'
import { countLimitStates, type LimitStates } from '../../resources/budgets/index.js'
import { countOpenJobs, type OpenJobs } from '../../resources/compliance/index.js'
import { readOverdueSinks } from '../../resources/sinks/index.js'
import { type Backlog, readBacklog } from '../../resources/webhooks/index.js'
import { within } from '../../shared/deadline.js'
import type { Probes } from '../probes/probes.js'
import { watchEventLoopDelay } from './event-loop-delay.js'

export interface HealthParts {
  metrics: Metrics
  storage: Pick<Database, 'db' | 'connections'>
  /** Checks that Redis can be used; null when Redis is not configured. */
  checkRedis: (() => Promise<unknown>) | null
  ledger: Pick<Ledger, 'available' | 'refused' | 'pending'>
  probes: Pick<Probes, 'findings' | 'freeBytes'>
  /** The lengths of other queues in the process, by name. */
  queues: Readonly<Record<string, () => number>>
  /** Returns how many targets are in cooldown, by provider. */
  restingTargets(): Record<string, number>
  gateway: Pick<Gateway, 'underWay' | 'replayed'>
  stalledReaders: Pick<StalledReaders, 'ended'>
  /** Returns the connections that the system turned away. */
  turnedAway(): number
  onError(error: unknown): void
  /** A steady clock. */
  now?: () => number
}

interface Figures {
  backlog: Backlog
  overdueSinks: Record<string, number>
  limits: LimitStates
  jobs: OpenJobs
  unfoldedUsage: number
  lastAnchor: Date | null
  readAtMs: number
}

const pingEveryMs = 5_000
const readEveryMs = 30_000
// Longer than most collectors wait between two readings. Without a reader nothing is asked.
const maxUnreadMs = 120_000
// The supervisor of workers waits 3 s for the metrics of each.
const maxPageWaitMs = 2_000
// A busy database must not spend longer on these queries.
const readTimeoutMs = 2_000
const maxCountedRows = 100_000

/**
 * Registers metrics about the health of the process, the database and Redis. Values inside the process are read when the metrics
 * page is created. Everything else is read in the background, so that the page does not wait for a database that does not answer. Only
 * the first reading after a time without readers waits for new values, for two seconds at most.
 */
export function startHealthMetrics(parts: HealthParts): { close(): Promise<void> } {
  const {
    metrics,
    storage,
    ledger,
    queues,
    gateway,
    checkRedis,
    onError,
    now = () => performance.now(),
  } = parts
  const { db } = storage
  metrics.watch('callsInFlight', () => gateway.underWay().calls)
  metrics.watch('streamsOpen', () => gateway.underWay().streams)
  metrics.watch('socketsOpen', () => gateway.underWay().sockets)
  metrics.watchCount('replayed', gateway.replayed)
  metrics.watchCount('stalledReaders', parts.stalledReaders.ended)
  metrics.watchCount('turnedAway', parts.turnedAway)
  metrics.watch('bodyBytes', () => gateway.underWay().bodyBytes)
  metrics.watch('bodyBytesLimit', () => gateway.underWay().maxBodyBytes)
  metrics.watch('targetsResting', parts.restingTargets)
  metrics.watch('recordWritable', () => (ledger.available() ? 1 : 0))
  metrics.watch('spooled', () => ledger.pending().spooled)
  metrics.watch('recordRefused', () => Object.fromEntries(ledger.refused().map(({ tenant }) => [tenant, 1])))
  metrics.watch('dataDirectoryFree', parts.probes.freeBytes)
  let causes: Record<string, number> = {}
  metrics.watch('fault', () => causes)
  metrics.beforeReading(async () => {
    const findings = Object.values(await parts.probes.findings()).flat()
    causes = Object.fromEntries(findings.map(({ cause }) => [cause, 1]))
  })
  metrics.watch('databaseConnections', () => ({ ...storage.connections() }))
  const allQueues = { ...queues, receipts: () => ledger.pending().queued }
  metrics.watch('queueLength', () =>
    Object.fromEntries(Object.entries(allQueues).map(([name, length]) => [name, length()])),
  )

  let lastReadMs = Number.NEGATIVE_INFINITY
  const isUnread = () => now() - lastReadMs > maxUnreadMs

  const database = createProbe(() => sql`select 1`.execute(db), now)
  metrics.watch('databaseUp', database.up)
  metrics.watch('databasePing', database.seconds)
  const redis = checkRedis && createProbe(checkRedis, now)
  if (redis !== null) {
    metrics.watch('redisUp', redis.up)
    metrics.watch('redisPing', redis.seconds)
  }

  let figures: Figures | null = null
  metrics.watch('webhookBacklog', () => {
    return figures && { pending: figures.backlog.pending, retrying: figures.backlog.retrying }
  })
  metrics.watch('webhookOverdue', () => figures?.backlog.overdueSeconds ?? null)
  metrics.watch('sinkOverdue', () => figures?.overdueSinks ?? null)
  metrics.watch('budgets', () => figures && { ...figures.limits })
  metrics.watch('jobsWaiting', () => figures?.jobs.waiting ?? null)
  metrics.watch('jobsRunning', () => figures?.jobs.running ?? null)
  metrics.watch('unfoldedUsage', () => figures?.unfoldedUsage ?? null)
  metrics.watch('lastAnchor', () => toSeconds(figures?.lastAnchor?.getTime()))
  metrics.watch('figuresRead', () => toSeconds(figures?.readAtMs))

  const delay = watchEventLoopDelay(onError)
  metrics.watch('eventLoopDelay', delay.quantiles)

  const whileRead = { isIdle: isUnread, onError }
  const asking = [
    // Failures of a probe are visible in its metric and are not logged.
    startPeriodic({ ...whileRead, run: database.ask, everyMs: pingEveryMs }),
    ...(redis ? [startPeriodic({ ...whileRead, run: redis.ask, everyMs: pingEveryMs })] : []),
    startPeriodic({ ...whileRead, run: refreshFigures, everyMs: readEveryMs }),
  ]
  async function refreshFigures(): Promise<void> {
    if (ledger.available()) figures = await readFigures(db)
  }
  let measuring: Promise<unknown> = Promise.resolve()
  metrics.beforeReading(async () => {
    const wasUnread = isUnread()
    lastReadMs = now()
    if (wasUnread) {
      for (const loop of asking) loop.resume()
      const answers = [database.ask(), redis?.ask(), refreshFigures().catch(onError)]
      measuring = within(maxPageWaitMs, Promise.all(answers), () => new Error()).catch(() => undefined)
    }
    await measuring
  })
  return { close: async () => void (await Promise.all([delay, ...asking].map((loop) => loop.close()))) }
}

const toSeconds = (ms: number | undefined): number | null => (ms === undefined ? null : ms / 1_000)

async function readFigures(db: Db): Promise<Figures> {
  return await inTransaction(db, async (tx) => {
    await sql`select set_config('statement_timeout', ${String(readTimeoutMs)}, true)`.execute(tx)
    return {
      backlog: await readBacklog(tx),
      overdueSinks: await readOverdueSinks(tx),
      limits: await countLimitStates(tx),
      jobs: await countOpenJobs(tx),
      unfoldedUsage: await countUnfolded(tx, maxCountedRows),
      lastAnchor: await readLastAnchor(tx),
      readAtMs: Date.now(),
    }
  })
}

// A probe that takes longer counts as failed. This is shorter than the timeout of a query.
const maxProbeMs = 5_000
// An older result is from before the checks were paused. It is not reported.
const maxAgeMs = 60_000

/**
 * Measures whether something answers, and how fast. It counts as down as soon as an answer is overdue, and until the first answer
 * after a pause.
 */
export function createProbe(
  ask: () => Promise<unknown>,
  now = () => performance.now(),
): { ask(): Promise<void>; up(): number; seconds(): number | null } {
  let startedAtMs: number | null = null
  let last: { isUp: boolean; ms: number; atMs: number } | null = null
  const isOld = () => last !== null && now() - last.atMs > maxAgeMs
  return {
    async ask() {
      const startedMs = now()
      startedAtMs = startedMs
      const isUp = await ask().then(
        () => true,
        () => false,
      )
      const ms = now() - startedMs
      last = { isUp: isUp && ms <= maxProbeMs, ms, atMs: now() }
      startedAtMs = null
    },
    up() {
      const isOverdue = startedAtMs !== null && now() - startedAtMs > maxProbeMs
      return last?.isUp && !isOld() && !isOverdue ? 1 : 0
    },
    seconds: () => (last === null || isOld() ? null : last.ms / 1_000),
  }
}
