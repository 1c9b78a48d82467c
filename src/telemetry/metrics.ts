import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { counters, histograms } from './metric-table.js'

type Counters = typeof counters
type Histograms = typeof histograms
type Labels<Spec extends { labels: readonly string[] }> = Record<Spec['labels'][number], string>

export interface Metrics {
  count<Name extends keyof Counters>(name: Name, labels: Labels<Counters[Name]>): void
  observe<Name extends keyof Histograms>(name: Name, value: number, labels: Labels<Histograms[Name]>): void
  /** What a scraper sees. */
  read(): Promise<MetricsPage>
  /** The figures of this process, as they can be added to those of others. */
  values(): Promise<MetricValues>
}

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[]

export interface MetricsPage {
  contentType: string
  text: string
}

/** One page for many processes that serve as one. */
export async function addUpMetrics(ofProcesses: readonly MetricValues[]): Promise<MetricsPage> {
  const registry = AggregatorRegistry.aggregate([...ofProcesses])
  return { contentType: registry.contentType, text: await registry.metrics() }
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'tallystick_' })
  const countersByName = new Map(
    Object.entries(counters).map(([name, spec]) => [
      name,
      new Counter({ ...spec, labelNames: spec.labels, registers }),
    ]),
  )
  const histogramsByName = new Map(
    Object.entries(histograms).map(([name, spec]) => [
      name,
      new Histogram({ ...spec, labelNames: spec.labels, buckets: [...spec.buckets], registers }),
    ]),
  )
  return {
    count: (name, labels) => countersByName.get(name)?.inc(labels),
    observe: (name, value, labels) => histogramsByName.get(name)?.observe(labels, value),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    values: () => registry.getMetricsAsJSON(),
  }
}
