import { startPruningIdempotentCalls } from '../../calls/model/index.js'
import type { Config } from '../../config/index.js'
import type { Changes, Db } from '../../db/index.js'
import type { Log } from '../../observability/index.js'
import type { Outbound } from '../../outbound/index.js'
import { createDailyAnchor, startThinningSeals } from '../../record/index.js'
import { startPartitionMaintenance } from '../../reporting/calls/index.js'
import {
  createMinutePruner,
  startClosingDays,
  startFolding,
  startRollingUpDays,
} from '../../reporting/usage/index.js'
import { startAuditRetention } from '../../resources/audit/index.js'
import { startPruningBatches } from '../../resources/batches/index.js'
import { startRollingUpSpend } from '../../resources/budgets/index.js'
import { startPruningJobs } from '../../resources/compliance/index.js'
import { startContentRetention } from '../../resources/content/index.js'
import { startPruningAnswers } from '../../resources/idempotency/index.js'
import { startPruningConsents } from '../../resources/mcp-credentials/index.js'
import { startPruningMcpMessages } from '../../resources/mcp-sessions/index.js'
import { startPruningReferences } from '../../resources/references/index.js'
import { startPruningCachedAnswers } from '../../resources/response-cache/index.js'
import { startPruningSessions } from '../../resources/sessions/index.js'
import { startPeriodicChecks } from '../../resources/webhooks/index.js'

export interface MaintenanceOptions {
  db: Db
  changes: Pick<Changes, 'subscribe'>
  databaseUrl: string
  config: Pick<Config, 'webhooks' | 'callsRetentionDays' | 'growth' | 'anchor'>
  now(): Date
  outbound: Pick<Outbound, 'operator'>
  failed: Log['failed']
}

/** Starts the periodic work that no request waits for: checking for alerts, aggregating usage, anchoring, deleting expired data. */
export function startMaintenance({
  db,
  changes,
  databaseUrl,
  config,
  now,
  outbound,
  failed,
}: MaintenanceOptions) {
  const { webhooks, callsRetentionDays, growth, anchor } = config
  // Bounded: jobs of the program.
  const jobs: { close(): Promise<unknown> }[] = []
  const { retentionDays } = webhooks
  jobs.push(startPeriodicChecks({ db, changes, now, retentionDays, onError: failed('checking for alerts') }))
  jobs.push(createMinutePruner({ db, now, onError: failed('deleting old minutes of usage') }))
  jobs.push(startFolding({ db, onError: failed('folding usage into its totals') }))
  jobs.push(startClosingDays({ db, now, onError: failed('aggregating completed days of usage') }))
  jobs.push(startPruningReferences({ db, onError: failed('deleting expired references') }))
  jobs.push(
    startPruningAnswers({
      db,
      onError: failed('deleting old answers of the management API to repeated requests'),
    }),
  )
  jobs.push(startPruningIdempotentCalls({ db, onError: failed('deleting old answers to repeated calls') }))
  jobs.push(startPruningBatches({ db, onError: failed('deleting old batches and their files') }))
  jobs.push(startPruningJobs({ db, onError: failed('deleting old attestations and exports') }))
  jobs.push(
    startPruningCachedAnswers({ db, onError: failed('deleting expired answers from the response cache') }),
  )
  jobs.push(startPruningConsents({ db, onError: failed('deleting old consents of users') }))
  jobs.push(startPruningSessions({ db, onError: failed('deleting old sessions') }))
  jobs.push(startPruningMcpMessages({ db, onError: failed('deleting old messages of MCP clients') }))
  jobs.push(startContentRetention({ db, onError: failed('deleting old content of calls') }))
  jobs.push(
    startPartitionMaintenance({
      db,
      databaseUrl,
      retentionDays: callsRetentionDays,
      now,
      onError: failed('maintaining the partitions of calls'),
    }),
  )
  const aggregation = { db, now, olderThanDays: growth.usageHoursDays }
  jobs.push(startRollingUpDays({ ...aggregation, onError: failed('aggregating old hours of usage') }))
  jobs.push(startRollingUpSpend({ ...aggregation, onError: failed('aggregating old days of spend') }))
  const { sealsDays, auditDays } = growth
  if (sealsDays > 0)
    jobs.push(
      startThinningSeals({
        db,
        now,
        olderThanDays: sealsDays,
        onError: failed('deleting redundant old seals'),
      }),
    )
  if (auditDays > 0)
    jobs.push(
      startAuditRetention({
        db,
        now,
        retentionDays: auditDays,
        onError: failed('deleting old audit entries'),
      }),
    )
  if (anchor.type !== 'none')
    jobs.push(
      createDailyAnchor({
        ...{ db, target: anchor, dispatcher: outbound.operator, now },
        onError: failed('anchoring checkpoints'),
      }),
    )
  // Jobs are closed concurrently, because each may wait for a database that does not answer.
  return {
    async close(): Promise<void> {
      await Promise.all(jobs.map((job) => job.close()))
    },
  }
}
