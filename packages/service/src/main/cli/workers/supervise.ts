import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../../config/index.js'
import type { Log } from '../../../observability/index.js'
import { openStorage, prepareInstance } from '../../infrastructure/storage.js'
import { startConnectionWatch } from '../../observing/connection-watch.js'
import { openLog } from '../../observing/open-telemetry.js'
import { type SecretRefresh, startSecretRefresh } from '../../reload/refresh-secrets.js'
import { reload } from '../../reload/reload.js'
import { announceStart } from '../announcements/announce-start.js'
import type { ConfigReader } from '../commands/serve.js'
import { listenForReload } from '../reload-signal.js'
import { exitBroken, exitIfShutdownHangs, listenForStop } from '../shutdown.js'
import { closePendingConnection } from './pending-connection.js'
import { type SharedLimits, shareLimits, workerStreams } from './shared-limits.js'
import { killWhenSilent } from './silent-workers.js'
import type { FromWorker, ToWorker } from './worker-messages.js'
import { createMetricsCollector } from './worker-metrics.js'

const minRestartDelayMs = 100
const maxRestartDelayMs = 5_000
// A worker that ran for this long did not exit because of its settings.
const stableMs = 10_000

/** Runs the service in several processes that listen on one address. This process counts their limits, unless Redis does. */
export async function superviseWorkers(
  initial: Config,
  count: number,
  { read, secrets }: ConfigReader,
): Promise<void> {
  let config = initial
  const signals = listenForStop(() => config)
  const reloadSignal = listenForReload()
  const log = openLog(config)
  let workers: Workers | null = null
  const storage = await openStorage(config, (message) => log.general.info(message), {
    schema: 'prepare',
    onFault(message) {
      log.general.warn(message)
      workers?.setDatabaseFault(storage.fault())
    },
  })
  let limits: SharedLimits | null = null
  let refresh: SecretRefresh | null = null
  try {
    if (config.redisUrl === null) limits = await shareLimits(storage, (message) => log.general.warn(message))
    // Each worker reports problems with its keys itself.
    const { firstKey } = await prepareInstance(config, storage, () => undefined)
    let forWorkers: Config = { ...config, databaseUrl: storage.url }
    const started = startWorkers({
      readConfig: () => forWorkers,
      count,
      limits,
      log: log.general,
    })
    workers = started
    const address = await Promise.race([started.listening, signals.requested])
    if (address !== undefined) announceStart({ address, firstKey }, config)
    refresh = startSecretRefresh({
      ...{ secrets, everyMs: config.secretsRefreshMs, log: log.general },
      onChange: reloadSignal.request,
      onOutages: started.setSecretOutages,
    })
    const { report } = refresh
    reloadSignal.serve(async () => {
      await reload({
        ...{ db: storage.db, log: log.general, current: config, read },
        async apply({ next }) {
          config = next
          forWorkers = { ...next, databaseUrl: storage.url }
          setImmediate(() => log.setLevel(next.logLevel))
          started.reload()
        },
      })
      report()
    })
    const fault = await Promise.race([signals.requested, storage.broken])
    if (fault) exitBroken(config, fault)
    started.drain()
    if (!fault) await signals.drained()
    exitIfShutdownHangs(config)
    if (!(await started.stop())) process.exitCode = 1
  } finally {
    await refresh?.close()
    await limits?.close()
    await storage.close()
    log.close()
  }
}

interface Workers {
  /** Resolves with the address once every worker listens; rejects when one exits before that. */
  listening: Promise<string>
  drain(): void
  /** Sends the current configuration to all workers. */
  reload(): void
  /** Tells all workers how many secrets cannot be read again, for their metrics. */
  setSecretOutages(count: number): void
  /** Tells all workers why the bundled database is not available, for their probes. */
  setDatabaseFault(message: string | null): void
  /** Resolves when all have exited: true if each of them exited with 0. */
  stop(): Promise<boolean>
}

interface WorkerOptions {
  readConfig(): Config
  count: number
  limits: SharedLimits | null
  log: Log['general']
}

function startWorkers({ readConfig, count, limits, log }: WorkerOptions): Workers {
  if (limits) cluster.setupPrimary({ stdio: [...workerStreams] })
  let draining = false
  let stopping = false
  let allExitedWithZero = true
  let secretOutages = 0
  let databaseFault: string | null = null
  const metrics = createMetricsCollector()
  const watch = startConnectionWatch({ log })
  // Bounded: the worker processes.
  const states = new Map<Worker, 'starting' | 'serving' | 'silent'>()

  function setState(worker: Worker, state: 'starting' | 'serving' | 'silent' | null): void {
    if (state === null) states.delete(worker)
    else states.set(worker, state)
    const all = [...states.values()]
    const silent = all.filter((each) => each === 'silent').length
    const missing = count - silent - all.filter((each) => each === 'serving').length
    sendToAll({ type: 'group', group: { count, silent, missing } })
  }

  /** Runs a worker and replaces it whenever it exits, until the service stops. */
  async function keepRunning(onListening: (address: string) => void): Promise<void> {
    let delayMs = minRestartDelayMs
    for (let hasListened = false; !stopping; await pause(delayMs)) {
      const startedMs = Date.now()
      const worker = cluster.fork()
      const config = readConfig()
      closePendingConnection(worker)
      limits?.serve(worker)
      metrics.onStart(worker)
      setState(worker, 'starting')
      const liveness = killWhenSilent(worker, config, {
        onQuiet: (isQuiet) => setState(worker, isQuiet ? 'silent' : 'serving'),
        onSilent: () =>
          log.warn(
            { process: String(worker.process.pid) },
            `a worker did not respond for ${config.workerSilenceMs / 1000} s and is killed`,
          ),
      })
      worker.on('message', (message: FromWorker) => {
        liveness.onMessage()
        if (message.type === 'alive') return
        if (message.type === 'config request') return send(worker, { type: 'config', config })
        if (message.type !== 'listening') return metrics.onMessage(worker, message)
        hasListened = true
        liveness.start()
        setState(worker, 'serving')
        onListening(message.address)
        // A worker does not listen for these messages before it has started.
        if (readConfig() !== config) send(worker, { type: 'config', config: readConfig() })
        send(worker, { type: 'secret outages', count: secretOutages })
        send(worker, { type: 'database fault', message: databaseFault })
        if (draining) send(worker, { type: 'drain' })
        if (stopping) send(worker, { type: 'stop' })
      })
      const [code, signal] = await once(worker, 'exit')
      liveness.close()
      metrics.onExit(worker)
      setState(worker, null)
      if (stopping) {
        allExitedWithZero &&= code === 0
        return
      }
      if (!hasListened) throw new Error(`a worker ended with ${signal ?? code} before it listened`)
      const wasStable = Date.now() - startedMs > stableMs
      delayMs = wasStable ? minRestartDelayMs : Math.min(delayMs * 2, maxRestartDelayMs)
      log.warn(
        { process: String(worker.process.pid) },
        `a worker ended with ${signal ?? code} and is replaced: see its last log lines for the reason`,
      )
    }
  }

  // Bounded: one for each worker process.
  const running: Promise<void>[] = []
  const listening = Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<string>((resolve, reject) => {
          running.push(keepRunning(resolve).catch(reject))
        }),
    ),
  ).then(([address = '']) => address)
  return {
    listening,
    drain() {
      draining = true
      sendToAll({ type: 'drain' })
    },
    reload: () => sendToAll({ type: 'config', config: readConfig() }),
    setSecretOutages(count) {
      secretOutages = count
      sendToAll({ type: 'secret outages', count })
    },
    setDatabaseFault(message) {
      databaseFault = message
      sendToAll({ type: 'database fault', message })
    },
    async stop() {
      stopping = true
      sendToAll({ type: 'stop' })
      await Promise.all(running)
      await watch.close()
      return allExitedWithZero
    },
  }
}

function sendToAll(message: ToWorker): void {
  for (const worker of Object.values(cluster.workers ?? {})) if (worker) send(worker, message)
}

function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
