import cluster from 'node:cluster'
import { setMaxListeners } from 'node:events'
import type { Duplex } from 'node:stream'
import { type Config, readVersion } from '../../config/index.js'
import { listenForChanges, newId } from '../../db/index.js'
import { createMetrics } from '../../observability/index.js'
import { createOutbound, parseRange } from '../../outbound/index.js'
import { createServiceSecrets } from '../../policies/index.js'
import { loadPacks } from '../../resources/packs/index.js'
import { createMachineIdentity } from '../../resources/sinks/index.js'
import { createSliceQueue } from '../../shared/slice-queue.js'
import type { Closers } from '../closers.js'
import { startClockWatch } from '../observing/clock-watch.js'
import { startConnectionWatch } from '../observing/connection-watch.js'
import { createObservers } from '../observing/observers.js'
import { instanceIdOf, maxFlushMs, openLog, openLogExport, openTracing } from '../observing/open-telemetry.js'
import { createLiveConfig } from '../reload/live-config.js'
import { openReplicaReads } from './read-replica.js'
import { openStorage, prepareInstance, requireServingLock } from './storage.js'
import { warnOfUndecryptableSecrets } from './undecryptable-secrets.js'

/**
 * Opens what everything else depends on: logs, metrics and traces, the database, the keys, and outbound HTTP. What is added to
 * `closers` last is closed first. `limits` leads to the supervisor when it counts the limits of this process.
 */
export async function openInfrastructure(config: Config, closers: Closers, limits: Duplex | null) {
  const live = createLiveConfig(config)
  const logs = closers.add(openLog(config))
  const log = logs.general
  live.add({
    prepare({ logLevel }) {
      // Later, so that the line about the change is still written.
      return () => void setImmediate(() => logs.setLevel(logLevel))
    },
  })
  const warn = (message: string) => log.warn(message)
  const { failed } = logs
  const metrics = createMetrics()
  metrics.tell('buildInfo', { version: readVersion(), service_instance_id: instanceIdOf(config) })
  let allowedRanges = config.allowedRanges.map(parseRange)
  const urlRules = {
    strict: config.strictness.strict,
    proxies: config.proxies,
    get allowedRanges() {
      return allowedRanges
    },
  }
  live.add({
    prepare(next) {
      const ranges = next.allowedRanges.map(parseRange)
      return () => {
        allowedRanges = ranges
      }
    },
  })
  const outbound = closers.add(createOutbound(urlRules))
  const logExport = openLogExport(config, outbound, logs, metrics)
  closers.add({ close: () => logExport?.close(Math.min(live.current().shutdownGraceMs, maxFlushMs)) })
  const tracing = openTracing(config, outbound, log, metrics)
  closers.add({ close: () => tracing?.close(Math.min(live.current().shutdownGraceMs, maxFlushMs)) })
  const observers = createObservers({ metrics, log: logs, tracing })
  const now = () => new Date()
  const startedAt = now()
  const { packs } = loadPacks(config.packsDir)

  const storage = closers.add(
    await openStorage(config, (message) => log.info(message), { schema: 'prepare', onFault: warn }),
  )
  const { db, sessionUrl } = storage
  const reads = closers.add(await openReplicaReads({ config, db, log, metrics }))
  const processId = newId('proc')
  const servingMode = limits !== null ? 'worker' : config.redisUrl === null ? 'exclusive' : 'shared'
  const servingLock = closers.add(await requireServingLock(storage, servingMode, processId, warn))
  const { signingKey, secrets, firstKey } = await prepareInstance(config, storage, warn)
  const changes = closers.add(await listenForChanges(sessionUrl, warn))
  signingKey.reloadOnChange(changes, log)
  closers.add(signingKey.watchOtherKeys({ log, onError: failed('looking for other signing keys') }))
  const connectionWatch = closers.add(startConnectionWatch({ log, seesMachine: !cluster.isWorker }))
  closers.add(startClockWatch({ wallMs: Date.now, steadyMs: () => performance.now(), log }))
  secrets.reloadOnChange(changes)
  const serviceSecrets = createServiceSecrets({ db: storage.keysDb, changes, secrets })
  await warnOfUndecryptableSecrets({ db, secrets, serviceSecrets, warn })

  const agent = outbound.createAgent({ isVetted: false, connections: 1, connectTimeoutMs: 5_000 })
  closers.add({ close: () => agent.destroy() })
  const machineIdentity = createMachineIdentity({
    db,
    buckets: config.sinkBuckets,
    context: { environment: config.machine, now: Date.now, dispatcher: () => agent },
  })
  const stopping = new AbortController()
  // Every attestation in progress listens to this signal, so their number exceeds the default limit.
  setMaxListeners(0, stopping.signal)

  return {
    ...{ config, live, closers, log, warn, failed, metrics, tracing, observers, now, startedAt, packs },
    ...{ storage, db, reads, processId, servingLock, signingKey, firstKey, changes, connectionWatch },
    ...{
      secrets,
      serviceSecrets,
      machineIdentity,
      limits,
      isOnlyProcess: servingMode === 'exclusive',
      urlRules,
      outbound,
      stopping,
    },
    version: readVersion(),
    yieldToEventLoop: createSliceQueue(),
  }
}

export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>
