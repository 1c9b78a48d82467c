import { type MetricValues, mergeCounters } from '../../../observability/index.js'

/**
 * The combined metrics of all workers. Counters never decrease when a worker ends or answers late, because a scraper would read that as
 * a restart. Gauges are those of running workers.
 */
export class SummedMetrics {
  /** The sums of workers that have ended. */
  #ended: MetricValues = mergeCounters([])
  /** The latest values of each running worker, used when it does not answer. */
  // Bounded: one for each worker process.
  readonly #latest = new Map<number, { requestId: number; values: MetricValues | null }>()

  start(worker: number): void {
    this.#latest.set(worker, { requestId: 0, values: null })
  }

  /** Stores values. An answer to an earlier request may arrive after a later one, or after its worker has ended. */
  set(worker: number, requestId: number, values: MetricValues): void {
    const latest = this.#latest.get(worker)
    if (latest && latest.requestId <= requestId) this.#latest.set(worker, { requestId, values })
  }

  end(worker: number): void {
    const values = this.#latest.get(worker)?.values
    this.#latest.delete(worker)
    if (values) this.#ended = mergeCounters([this.#ended, values])
  }

  all(): MetricValues[] {
    return [this.#ended, ...[...this.#latest.values()].flatMap(({ values }) => values ?? [])]
  }
}
