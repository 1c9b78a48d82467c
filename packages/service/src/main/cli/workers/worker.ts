import { Socket } from 'node:net'
import type { Config } from '../../../config/index.js'
import type { Metrics, MetricsPage } from '../../../observability/index.js'
import { unavailable } from '../../../shared/errors.js'
import { startService } from '../../index.js'
import type { WorkerGroup } from '../../probes/workers-check.js'
import { exitIfShutdownHangs } from '../shutdown.js'
import { limitsDescriptor } from './shared-limits.js'
import { aliveEveryMs } from './silent-workers.js'
import type { FromWorker, ToWorker } from './worker-messages.js'

/** Requests the configuration from the supervisor. */
const receiveConfig = async (): Promise<Config> =>
  await new Promise((resolve) => {
    process.on('message', function receive(message: ToWorker) {
      if (message.type !== 'config') return
      process.off('message', receive)
      resolve(message.config)
    })
    send({ type: 'config request' })
  })

/** Runs one of several worker processes. It stops when the supervisor requests it or has gone. */
export async function runWorker(): Promise<void> {
  // A terminal sends signals to every process of the group; the supervisor decides.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
  const stopRequested = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('disconnect', resolve)
    process.on('message', (message: ToWorker) => {
      if (message.type === 'stop') resolve()
    })
  })
  const config = await receiveConfig()
  const limits = config.redisUrl === null ? new Socket({ fd: limitsDescriptor }) : null
  let group: WorkerGroup | null = null
  let secretOutages = 0
  let databaseFault: string | null = null
  process.on('message', (message: ToWorker) => {
    if (message.type === 'group') group = message.group
    if (message.type === 'secret outages') secretOutages = message.count
    if (message.type === 'database fault') databaseFault = message.message
  })
  const service = await startService(config, {
    ...{ shareMetrics, limits },
    workerGroup: () => group,
    secretOutages: () => secretOutages,
    databaseFault: () => databaseFault,
  })
  process.on('message', (message: ToWorker) => {
    if (message.type === 'drain') service.drain()
    if (message.type === 'config') void service.apply(message.config)
  })
  send({ type: 'listening', address: service.address })
  setInterval(() => send({ type: 'alive' }), aliveEveryMs(config)).unref()
  await stopRequested
  exitIfShutdownHangs(service.config())
  await service.stop()
  if (process.connected) process.disconnect()
}

// Longer than the supervisor waits for workers. Returning only this worker's figures instead would make the sums fall.
const pageTimeoutMs = 8_000

/** Returns a function that reads the metrics of all workers, because a scraper reaches only one of them. */
function shareMetrics(own: Metrics): () => Promise<MetricsPage> {
  const pending = new Map<number, (page: MetricsPage) => void>()
  let lastId = 0
  process.on('message', async (message: ToWorker) => {
    if (message.type === 'collect metrics')
      return send({ type: 'metrics', id: message.id, values: await own.values() })
    if (message.type !== 'metrics page') return
    pending.get(message.id)?.(message.page)
    pending.delete(message.id)
  })
  return () =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      const timer = setTimeout(() => {
        pending.delete(id)
        reject(unavailable('The supervisor of the workers does not answer'))
      }, pageTimeoutMs)
      pending.set(id, (page) => {
        clearTimeout(timer)
        resolve(page)
      })
      send({ type: 'metrics request', id })
    })
}

function send(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
