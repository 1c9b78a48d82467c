import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

/** What a scraper sees. Labels are few and bounded: no key, no user, no model name that a caller could invent. */
export interface Metrics {
  callFinished(labels: { provider: string; endpoint: string; outcome: string; latencyMs: number }): void
  callRateLimited(endpoint: string): void
  groupCommitted(size: number): void
  webhookAttempted(delivered: boolean): void
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
  collectDefaultMetrics({ register: registry, prefix: 'tallystick_' })
  const registers = [registry]
  const calls = new Counter({
    name: 'tallystick_calls_total',
    help: 'Governed calls by outcome',
    labelNames: ['provider', 'endpoint', 'outcome'],
    registers,
  })
  const latency = new Histogram({
    name: 'tallystick_call_duration_seconds',
    help: 'From the arrival of a call to the end of its answer',
    labelNames: ['endpoint'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  })
  const limited = new Counter({
    name: 'tallystick_rate_limited_total',
    help: 'Calls refused by a rate limit',
    labelNames: ['endpoint'],
    registers,
  })
  const groups = new Histogram({
    name: 'tallystick_ledger_group_size',
    help: 'Receipts per committed group',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const attempts = new Counter({
    name: 'tallystick_webhook_attempts_total',
    help: 'Attempts to deliver a webhook by outcome',
    labelNames: ['outcome'],
    registers,
  })
  return {
    callFinished({ provider, endpoint, outcome, latencyMs }) {
      calls.inc({ provider, endpoint, outcome })
      latency.observe({ endpoint }, latencyMs / 1_000)
    },
    callRateLimited: (endpoint) => limited.inc({ endpoint }),
    webhookAttempted: (delivered) => attempts.inc({ outcome: delivered ? 'delivered' : 'failed' }),
    groupCommitted: (size) => groups.observe(size),
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    values: () => registry.getMetricsAsJSON(),
  }
}
