import cluster, { type Worker } from 'node:cluster'
import { addUpMetrics, type MetricValues } from '../http/index.js'
import type { FromWorker, ToWorker } from './worker-messages.js'

interface Inquiry {
  asker: Worker
  askerId: number
  open: Set<number>
  values: MetricValues[]
}

/** Gathers the figures of all workers for the one that was asked for them. */
export function createMetricsDesk() {
  const inquiries = new Map<number, Inquiry>()
  let lastId = 0

  function begin(asker: Worker, askerId: number): void {
    const id = ++lastId
    const all = Object.values(cluster.workers ?? {}).flatMap((worker) =>
      worker?.isConnected() ? [worker] : [],
    )
    inquiries.set(id, { asker, askerId, open: new Set(all.map((worker) => worker.id)), values: [] })
    for (const worker of all) worker.send({ type: 'metrics wanted', id } satisfies ToWorker)
  }

  function answer(worker: Worker, id: number, values: MetricValues): void {
    const inquiry = inquiries.get(id)
    if (!inquiry?.open.delete(worker.id)) return
    inquiry.values.push(values)
    if (inquiry.open.size > 0) return
    inquiries.delete(id)
    addUpMetrics(inquiry.values).then((page) => {
      if (inquiry.asker.isConnected())
        inquiry.asker.send({ type: 'metrics page', id: inquiry.askerId, page } satisfies ToWorker)
    })
  }

  return {
    hear(worker: Worker, message: Exclude<FromWorker, { type: 'listening' }>): void {
      if (message.type === 'metrics wanted') begin(worker, message.id)
      else answer(worker, message.id, message.values)
    },
    /** Nobody waits for the figures of a worker that is gone. */
    leave(worker: Worker): void {
      for (const id of [...inquiries.keys()]) answer(worker, id, [])
    },
  }
}
