import { addUpCounts, type MetricValues } from '../telemetry/index.js'

/**
 * The figures of workers that serve as one. What was counted never falls, whoever ends or answers late: a sum that falls looks like a
 * restart of all. Gauges are those of workers that run.
 */
export class SummedMetrics {
  /** Of workers that have ended. */
  #ended: MetricValues = addUpCounts([])
  /** Of each worker that runs, as it told them last: they stand for one that does not answer. */
  readonly #latest = new Map<number, { askedAs: number; values: MetricValues | null }>()

  start(worker: number): void {
    this.#latest.set(worker, { askedAs: 0, values: null })
  }

  /** An answer to an earlier question may come after that to a later one, or after its worker has ended. */
  set(worker: number, askedAs: number, values: MetricValues): void {
    const latest = this.#latest.get(worker)
    if (latest && latest.askedAs <= askedAs) this.#latest.set(worker, { askedAs, values })
  }

  end(worker: number): void {
    const values = this.#latest.get(worker)?.values
    this.#latest.delete(worker)
    if (values) this.#ended = addUpCounts([this.#ended, values])
  }

  all(): MetricValues[] {
    return [this.#ended, ...[...this.#latest.values()].flatMap(({ values }) => values ?? [])]
  }
}
