import type { Config } from '../config/index.js'
import type { Db } from '../db/index.js'
import { startPruningClaims } from '../gateway/index.js'
import { createDailyAnchor, startThinningSeals } from '../ledger/index.js'
import { startAuditRetention } from '../modules/audit/index.js'
import { startPruningBatches } from '../modules/batches/index.js'
import { startRollingUpSpend } from '../modules/budgets/index.js'
import { startPruningCachedAnswers } from '../modules/cached-answers/index.js'
import { startCallUpkeep } from '../modules/calls/index.js'
import { startPruningJobs } from '../modules/compliance/index.js'
import { startContentRetention } from '../modules/content/index.js'
import { startPruningAnswers } from '../modules/idempotency/index.js'
import { startPruningConsents } from '../modules/mcp-credentials/index.js'
import { startPruningMcpMessages } from '../modules/mcp-sessions/index.js'
import { startPruningReferences } from '../modules/references/index.js'
import { startPruningSessions } from '../modules/sessions/index.js'
import { createMinutePruner, startClosingDays, startRollingUpDays } from '../modules/usage/index.js'
import { startPeriodicChecks } from '../modules/webhooks/index.js'
import type { Log } from '../telemetry/index.js'

export interface UpkeepOptions {
  db: Db
  databaseUrl: string
  config: Pick<Config, 'webhooks' | 'callsRetentionDays' | 'growth' | 'anchor'>
  now(): Date
  failed: Log['failed']
}

/** What runs every so often and that no request waits for: alerts that no single call shows, sums, anchors, and what has had its time. */
export function startUpkeep({ db, databaseUrl, config, now, failed }: UpkeepOptions) {
  const { webhooks, callsRetentionDays, growth, anchor } = config
  const jobs: { close(): Promise<unknown> }[] = []
  const { retentionDays } = webhooks
  jobs.push(startPeriodicChecks({ db, now, retentionDays, onError: failed('checking for alerts') }))
  jobs.push(createMinutePruner({ db, now, onError: failed('dropping old minutes of usage') }))
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
    startCallUpkeep({
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
