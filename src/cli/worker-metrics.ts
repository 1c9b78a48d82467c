import cluster, { type Worker } from 'node:cluster'
import { addUpMetrics, type MetricValues } from '../telemetry/index.js'
import type { FromWorker, ToWorker } from './worker-messages.js'

interface Collection {
  requester: Worker
  requestId: number
  missing: Set<number>
  values: MetricValues[]
}

/** Collects the metrics of all workers for the one that a scraper reached. */
export function createMetricsCollector() {
  const collections = new Map<number, Collection>()
  let lastId = 0

  function collect(requester: Worker, requestId: number): void {
    const id = ++lastId
    const connected = Object.values(cluster.workers ?? {}).flatMap((worker) =>
      worker?.isConnected() ? [worker] : [],
    )
    const missing = new Set(connected.map((worker) => worker.id))
    collections.set(id, { requester, requestId, missing, values: [] })
    for (const worker of connected) worker.send({ type: 'collect metrics', id } satisfies ToWorker)
  }

  function add(worker: Worker, id: number, values: MetricValues): void {
    const collection = collections.get(id)
    if (!collection?.missing.delete(worker.id)) return
    collection.values.push(values)
    if (collection.missing.size > 0) return
    collections.delete(id)
    const { requester, requestId } = collection
    addUpMetrics(collection.values).then((page) => {
      if (requester.isConnected())
        requester.send({ type: 'metrics page', id: requestId, page } satisfies ToWorker)
    })
  }

  return {
    onMessage(worker: Worker, message: Exclude<FromWorker, { type: 'listening' }>): void {
      if (message.type === 'metrics request') collect(worker, message.id)
      else add(worker, message.id, message.values)
    },
    /** No request waits for a worker that has exited. */
    onExit(worker: Worker): void {
      for (const id of [...collections.keys()]) add(worker, id, [])
    },
  }
}
