import type { Periodic } from '../db/index.js'
import { startJobWorker } from '../modules/compliance/index.js'
import type { OpenCalling } from './calling.js'
import type { Closers } from './closers.js'
import type { Ground } from './ground.js'
import { startHealthMetrics } from './observing/health-metrics.js'
import type { OpenRecord } from './record.js'
import type { Rules } from './rules.js'
import type { OpenServer } from './server.js'
import { startUpkeep } from './upkeep.js'

interface Stages {
  record: OpenRecord
  rules: Rules
  http: OpenServer
  calling: OpenCalling
}

/** What runs by the clock, or when it is woken. */
export function startBackground(
  { config, metrics, storage, db, now, signingKey, waitForTurn, failed, connectionWatch }: Ground,
  { record, rules, http, calling }: Stages,
  background: Closers,
): { jobs: Periodic; batches: Periodic } {
  const { admission, ledger, openCalls } = record
  const { health, contentCapture, tools, spans } = rules
  background.add(
    startHealthMetrics({
      ...{ metrics, storage, ledger, gateway: calling.gateway, stalledReaders: http.stalledReaders },
      restingTargets: () => health.resting(),
      checkRedis: config.redisUrl === null ? null : () => admission.check(),
      queues: {
        open_calls: openCalls.queued,
        turns: waitForTurn.waiting,
        content: contentCapture.queued,
      },
      turnedAway: connectionWatch.turnedAway,
      onError: failed('measuring health'),
    }),
  )
  const batches = background.add(calling.startBatches())
  const jobs = background.add(
    startJobWorker({
      ...{ db, spans, signingKey, now, waitForTurn, onError: failed('making attestations and exports') },
      onEnded: (document, status) => metrics.counter('jobsEnded', { document, status }).add(1),
    }),
  )
  background.add(tools.startRefreshing())
  background.add(startUpkeep({ db, databaseUrl: storage.sessionUrl, config, now, failed }))
  return { jobs, batches }
}
