import type { Periodic } from '../../db/index.js'
import { startJobWorker } from '../../jobs/index.js'
import { complianceJobs } from '../../resources/compliance/index.js'
import { sinkJobs } from '../../resources/sinks/index.js'
import type { Closers } from '../closers.js'
import type { Gateways } from '../gateways.js'
import type { Infrastructure } from '../infrastructure/infrastructure.js'
import { startHealthMetrics } from '../observing/health-metrics.js'
import type { OpenRecord } from '../record/record.js'
import type { Rules } from '../rules.js'
import type { OpenServer } from '../server.js'
import { startReloadableMaintenance } from './reloadable-maintenance.js'

interface Stages {
  record: OpenRecord
  rules: Rules
  http: OpenServer
  gateways: Gateways
}

/** Starts the work that runs periodically or when it is woken. */
export function startBackground(
  infrastructure: Infrastructure,
  { record, rules, http, gateways }: Stages,
  background: Closers,
): Periodic {
  const {
    config,
    metrics,
    storage,
    db,
    reads,
    changes,
    processId,
    now,
    signingKey,
    yieldToEventLoop,
    failed,
    outbound,
    secrets,
    machineIdentity,
  } = infrastructure
  const { admission, ledger, openCalls } = record
  const { health, contentCapture, tools, spans } = rules
  background.add(
    startHealthMetrics({
      ...{ metrics, storage, ledger, gateway: gateways.gateway, stalledReaders: http.stalledReaders },
      probes: http.probes,
      restingTargets: () => health.countCooldowns(),
      checkRedis: config.redisUrl === null ? null : () => admission.check(),
      queues: {
        open_calls: openCalls.queued,
        turns: yieldToEventLoop.waiting,
        content: contentCapture.queued,
      },
      turnedAway: infrastructure.connectionWatch.turnedAway,
      onError: failed('measuring health'),
    }),
  )
  const compliance = complianceJobs({
    ...{
      db,
      reads,
      spans,
      signingKey,
      now,
      yieldToEventLoop,
      onError: failed('creating attestations and exports'),
    },
    onEnded: (document, status) => metrics.counter('jobsEnded', { document, status }).add(1),
  })
  const sinks = sinkJobs({
    ...{
      db,
      outbound,
      secrets,
      identity: machineIdentity,
      yieldToEventLoop,
      onError: failed('exporting to a sink'),
    },
    onExported: (data, rows) => metrics.counter('sinkRows', { type: data }).add(rows),
  })
  const jobs = background.add(
    startJobWorker({
      ...{ db, changes, processId, kinds: [compliance, sinks, gateways.batchJobs, rules.erasures.jobs] },
      onError: failed('running jobs'),
    }),
  )
  background.add(tools.startRefreshing())
  background.add(startReloadableMaintenance(infrastructure))
  return jobs
}
