import type { Closers } from './closers.js'
import type { Config } from './config/index.js'
import type { Db } from './db/index.js'
import { createDailyAnchor } from './ledger/index.js'
import { startCallUpkeep } from './modules/calls/index.js'
import { startContentRetention } from './modules/content/index.js'
import { startPruningAnswers } from './modules/idempotency/index.js'
import { createMinutePruner, startClosingDays, startPruningHeldAnswers } from './modules/usage/index.js'
import { startPeriodicChecks } from './modules/webhooks/index.js'
import type { Log } from './telemetry/index.js'

export interface UpkeepOptions {
  db: Db
  databaseUrl: string
  config: Pick<Config, 'webhooks' | 'callsRetentionDays' | 'anchor'>
  now(): Date
  failed: Log['failed']
}

/** What runs every so often and that no request waits for: alerts that no single call shows, sums, anchors, and what has had its time. */
export function startUpkeep(closers: Closers, { db, databaseUrl, config, now, failed }: UpkeepOptions): void {
  const { webhooks, callsRetentionDays, anchor } = config
  const { retentionDays } = webhooks
  closers.add(startPeriodicChecks({ db, now, retentionDays, onError: failed('checking for alerts') }))
  closers.add(createMinutePruner({ db, now, onError: failed('dropping old minutes of usage') }))
  closers.add(startClosingDays({ db, now, onError: failed('adding up days of usage') }))
  closers.add(startPruningHeldAnswers({ db, onError: failed('dropping old ids of answers') }))
  closers.add(startPruningAnswers({ db, onError: failed('dropping old idempotent answers') }))
  closers.add(startContentRetention({ db, onError: failed('dropping old content') }))
  closers.add(
    startCallUpkeep({
      db,
      databaseUrl,
      retentionDays: callsRetentionDays,
      now,
      onError: failed('keeping the list of calls'),
    }),
  )
  if (anchor.type !== 'none')
    closers.add(createDailyAnchor({ db, target: anchor, now, onError: failed('anchoring checkpoints') }))
}
