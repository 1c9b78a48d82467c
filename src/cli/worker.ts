import type { Config } from '../config/index.js'
import type { Metrics, MetricsPage } from '../http/index.js'
import { startService } from '../main.js'
import { exitWhenOverdue } from './serve.js'
import type { FromWorker, ToWorker } from './worker-messages.js'

/** One of several processes that serve as one. It stops when it is told to, or when there is nobody left to tell it. */
export async function work(config: Config): Promise<void> {
  // A terminal sends Ctrl-C to every process of the group; the one that started us decides.
  process.on('SIGINT', () => undefined)
  const told = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('disconnect', resolve)
    process.on('message', (message: ToWorker) => {
      if (message.type === 'stop') resolve()
    })
  })
  const service = await startService(config, { shareMetrics })
  send({ type: 'listening', address: service.address })
  await told
  exitWhenOverdue(config)
  await service.stop()
  if (process.connected) process.disconnect()
}

/** Whichever worker a scraper happens to reach, it sees the figures of all. */
function shareMetrics(own: Metrics): () => Promise<MetricsPage> {
  const asked = new Map<number, (page: MetricsPage) => void>()
  let lastId = 0
  process.on('message', async (message: ToWorker) => {
    if (message.type === 'metrics wanted')
      return send({ type: 'metrics', id: message.id, values: await own.values() })
    if (message.type !== 'metrics page') return
    asked.get(message.id)?.(message.page)
    asked.delete(message.id)
  })
  return () =>
    new Promise((resolve) => {
      const id = ++lastId
      asked.set(id, resolve)
      send({ type: 'metrics wanted', id })
    })
}

/** Nobody is left to hear it once the other end has gone. */
function send(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
