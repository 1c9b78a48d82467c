import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import { MetricStore, type StoredValues } from './metric-store.js'
import {
  type CounterName,
  counters,
  type GaugeName,
  gauges,
  type HistogramName,
  histograms,
  type LabelName,
} from './metric-table.js'
import { addRuntimeCounts, type RuntimeMetrics } from './runtime-counts.js'
import type { Count, Distribution, Labels } from './series.js'

/** The reading of a gauge: one number, or one for each value of its label. Null means unknown; the gauge is not shown then. */
export type Reading<Name extends GaugeName> = (typeof gauges)[Name]['labels'] extends readonly []
  ? number | null
  : Readonly<Record<string, number>> | null

type UnlabelledCounter = {
  [Name in CounterName]: (typeof counters)[Name]['labels'] extends readonly [] ? Name : never
}[CounterName]

export interface Metrics {
  /** Returns a counter. Callers that count often should keep it, because looking it up takes longer than counting. */
  counter<Name extends CounterName>(name: Name, labels: Labels<(typeof counters)[Name]['labels']>): Count
  histogram<Name extends HistogramName>(
    name: Name,
    labels: Labels<(typeof histograms)[Name]['labels']>,
  ): Distribution
  /** Registers a function that reads a gauge whenever the page is rendered. It must be synchronous and fast. */
  watch<Name extends GaugeName>(name: Name, read: () => Reading<Name>): void
  /** Sets a gauge that tells something by its labels alone. */
  tell<Name extends GaugeName>(name: Name, labels: Labels<(typeof gauges)[Name]['labels']>): void
  /** Registers a function that each reading waits for. It must end soon, whatever it asks. */
  beforeReading(prepare: () => Promise<void>): void
  /** Registers a function that reads a counter without labels, which must only grow. */
  watchCount(name: UnlabelledCounter, read: () => number): void
  /** Renders the page for scrapers. */
  read(): Promise<MetricsPage>
  /** Returns the figures of this process, to be added to those of others. */
  values(): Promise<MetricValues>
}

export interface MetricValues {
  own: StoredValues
  /** Metrics of the runtime: memory, garbage collection, the event loop. */
  runtime: RuntimeMetrics
}

export interface MetricsPage {
  contentType: string
  text: string
}

export function createMetrics(): Metrics {
  const store = new MetricStore()
  const runtime = createRuntimeRegistry()
  // Bounded: metrics of the table.
  const watches: (() => void)[] = []
  // Bounded: parts of the program.
  const preparations: (() => Promise<void>)[] = []

  async function update(): Promise<void> {
    await Promise.all(preparations.map((prepare) => prepare()))
    for (const watch of watches) watch()
  }

  const metrics: Metrics = {
    counter: (name, labels) => store.counters[name].get(valuesOf(counters[name].labels, labels)),
    histogram: (name, labels) => store.histograms[name].get(valuesOf(histograms[name].labels, labels)),
    watch(name, read) {
      const series = store.gauges[name]
      watches.push(() => {
        series.clear()
        const reading: number | Readonly<Record<string, number>> | null = read()
        if (typeof reading === 'number') series.get([]).value = reading
        else if (reading !== null)
          for (const [value, number] of Object.entries(reading)) series.get([value]).value = number
      })
    },
    tell(name, labels) {
      store.gauges[name].get(valuesOf(gauges[name].labels, labels)).value = 1
    },
    watchCount(name, read) {
      const count = store.counters[name].get([])
      watches.push(() => {
        count.value = read()
      })
    },
    beforeReading: (prepare) => void preparations.push(prepare),
    async read() {
      await update()
      return toPage(store, runtime)
    },
    async values() {
      await update()
      return { own: store.values(), runtime: useMaxLag(await runtime.getMetricsAsJSON()) }
    },
  }
  metrics.watch('labelValues', () => countValues(store))
  return metrics
}

// The longest time that a timer of Node can wait.
const neverMs = 2 ** 31 - 1

/**
 * Registers Node's own metrics without its quantiles of the event loop's lag. They would wake an idle process a hundred times a second,
 * for what `eventLoopDelay` shows better.
 */
function createRuntimeRegistry(): Registry {
  const runtime = new Registry()
  const prefix = 'tallystick_'
  collectDefaultMetrics({ register: runtime, prefix, eventLoopMonitoringPrecision: neverMs })
  for (const quantile of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    runtime.removeSingleMetric(`${prefix}nodejs_eventloop_lag_${quantile}_seconds`)
  return runtime
}

const boundedLabels: LabelName[] = ['provider', 'model', 'team', 'server', 'tool']

const countValues = (store: MetricStore) =>
  Object.fromEntries(boundedLabels.map((name) => [name, store.labelValues.count(name)]))

/** Makes the event loop lag of several processes combine to the highest one. */
const useMaxLag = (runtime: MetricValues['runtime']): MetricValues['runtime'] =>
  runtime.map((metric) => (metric.name.includes('eventloop_lag') ? { ...metric, aggregator: 'max' } : metric))

function valuesOf(
  names: readonly LabelName[],
  labels: Readonly<Partial<Record<LabelName, string>>>,
): string[] {
  return names.map((name) => labels[name] ?? '')
}

async function toPage(store: MetricStore, runtime: Registry): Promise<MetricsPage> {
  return { contentType: runtime.contentType, text: (await store.render()) + (await runtime.metrics()) }
}

/** Renders one page for several worker processes. */
export async function mergeMetrics(ofProcesses: readonly MetricValues[]): Promise<MetricsPage> {
  const store = new MetricStore()
  for (const { own } of ofProcesses) store.add(own)
  return toPage(store, AggregatorRegistry.aggregate(ofProcesses.map(({ runtime }) => runtime)))
}

/**
 * Adds up the counters of processes that have ended. Without them a sum would decrease when a process ends, which a scraper takes for a restart
 * of the whole service.
 */
export function mergeCounters(ofProcesses: readonly MetricValues[]): MetricValues {
  const store = new MetricStore()
  for (const { own } of ofProcesses) store.add({ ...own, gauges: {} })
  return { own: store.values(), runtime: addRuntimeCounts(ofProcesses.map(({ runtime }) => runtime)) }
}
