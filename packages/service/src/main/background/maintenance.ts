import { startPruningClaims } from '../../calls/model/index.js'
import type { Config } from '../../config/index.js'
import type { Db } from '../../db/index.js'
import type { Log } from '../../observability/index.js'
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
  databaseUrl: string
  config: Pick<Config, 'webhooks' | 'callsRetentionDays' | 'growth' | 'anchor'>
  now(): Date
  failed: Log['failed']
}

/** Starts the periodic work that no request waits for: checking for alerts, aggregating usage, anchoring, and deleting what has expired. */
export function startMaintenance({ db, databaseUrl, config, now, failed }: MaintenanceOptions) {
  const { webhooks, callsRetentionDays, growth, anchor } = config
  // Bounded: jobs of the program.
  const jobs: { close(): Promise<unknown> }[] = []
  const { retentionDays } = webhooks
  jobs.push(startPeriodicChecks({ db, now, retentionDays, onError: failed('checking for alerts') }))
  jobs.push(createMinutePruner({ db, now, onError: failed('dropping old minutes of usage') }))
  jobs.push(startFolding({ db, onError: failed('folding usage into its totals') }))
  jobs.push(startClosingDays({ db, now, onError: failed('adding up days of usage') }))
  jobs.push(startPruningReferences({ db, onError: failed('deleting expired references') }))
  jobs.push(startPruningAnswers({ db, onError: failed('dropping old idempotent answers') }))
  jobs.push(startPruningClaims({ db, onError: failed('dropping old answers to repeated calls') }))
  jobs.push(startPruningBatches({ db, onError: failed('dropping old batches and their files') }))
  jobs.push(startPruningJobs({ db, onError: failed('dropping old attestations and exports') }))
  jobs.push(startPruningCachedAnswers({ db, onError: failed('dropping kept answers of routes') }))
  jobs.push(startPruningConsents({ db, onError: failed('dropping old consents of users') }))
  jobs.push(startPruningSessions({ db, onError: failed('dropping old sessions') }))
  jobs.push(startPruningMcpMessages({ db, onError: failed('dropping old messages of callers of tools') }))
  jobs.push(startContentRetention({ db, onError: failed('dropping old content') }))
  jobs.push(
    startPartitionMaintenance({
      db,
      databaseUrl,
      retentionDays: callsRetentionDays,
      now,
      onError: failed('keeping the list of calls'),
    }),
  )
  const detail = { db, now, olderThanDays: growth.usageHoursDays }
  jobs.push(startRollingUpDays({ ...detail, onError: failed('adding up old hours of usage') }))
  jobs.push(startRollingUpSpend({ ...detail, onError: failed('adding up old days of spend') }))
  const { sealsDays, auditDays } = growth
  if (sealsDays > 0)
    jobs.push(
      startThinningSeals({ db, now, olderThanDays: sealsDays, onError: failed('thinning out old seals') }),
    )
  if (auditDays > 0)
    jobs.push(
      startAuditRetention({
        db,
        now,
        retentionDays: auditDays,
        onError: failed('dropping old audit entries'),
      }),
    )
  if (anchor.type !== 'none')
    jobs.push(createDailyAnchor({ db, target: anchor, now, onError: failed('anchoring checkpoints') }))
  // All at once: each may wait for a database that does not answer.
  return {
    async close(): Promise<void> {
      await Promise.all(jobs.map((job) => job.close()))
    },
  }
}
