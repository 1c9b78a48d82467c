import cluster, { type Worker } from 'node:cluster'
import { mergeMetrics } from '../../../observability/index.js'
import { SummedMetrics } from './summed-metrics.js'
import type { FromWorker, ToWorker } from './worker-messages.js'

interface Collection {
  requester: Worker
  requestId: number
  missing: Set<number>
  timer: NodeJS.Timeout
}

// A scraper gives up after 10 s by default. A worker that is stuck must not keep the others from being seen.
const answerTimeoutMs = 3_000

/** Collects the metrics of all workers for the one that a scraper reached. */
export function createMetricsCollector() {
  // Bounded: pages under way; each ends with its timeout.
  const collections = new Map<number, Collection>()
  const summed = new SummedMetrics()
  let lastId = 0

  function collect(requester: Worker, requestId: number): void {
    const id = ++lastId
    const connected = Object.values(cluster.workers ?? {}).flatMap((worker) =>
      worker?.isConnected() ? [worker] : [],
    )
    const missing = new Set(connected.map((worker) => worker.id))
    const timer = setTimeout(() => answer(id), answerTimeoutMs)
    collections.set(id, { requester, requestId, missing, timer })
    for (const worker of connected) worker.send({ type: 'collect metrics', id } satisfies ToWorker)
  }

  function add(worker: Worker, id: number): void {
    const collection = collections.get(id)
    if (collection?.missing.delete(worker.id) && collection.missing.size === 0) answer(id)
  }

  function answer(id: number): void {
    const collection = collections.get(id)
    if (!collection) return
    collections.delete(id)
    const { requester, requestId, timer } = collection
    clearTimeout(timer)
    mergeMetrics(summed.all()).then((page) => {
      if (requester.isConnected())
        requester.send({ type: 'metrics page', id: requestId, page } satisfies ToWorker)
    })
  }

  return {
    onStart: (worker: Worker): void => summed.start(worker.id),
    onMessage(worker: Worker, message: Extract<FromWorker, { type: 'metrics' | 'metrics request' }>): void {
      if (message.type === 'metrics request') collect(worker, message.id)
      else {
        summed.set(worker.id, message.id, message.values)
        add(worker, message.id)
      }
    },
    /** Stops waiting for a worker that has exited. Its last known counts are kept. */
    onExit(worker: Worker): void {
      summed.end(worker.id)
      for (const id of [...collections.keys()]) add(worker, id)
    },
  }
}
