import type { Registry } from 'prom-client'

export type RuntimeMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

type RuntimeMetric = RuntimeMetrics[number]

/** Adds up the runtime counters of several processes, such as processor time and garbage collections. Gauges are left out. */
export function addRuntimeCounts(ofProcesses: readonly RuntimeMetrics[]): RuntimeMetrics {
  const sums = new Map<
    string,
    { metric: RuntimeMetric; values: Map<string, RuntimeMetric['values'][number]> }
  >()
  for (const metric of ofProcesses.flat()) {
    // The library declares a number but returns a string.
    if (String(metric.type) === 'gauge') continue
    const sum = sums.get(metric.name) ?? { metric, values: new Map() }
    sums.set(metric.name, sum)
    for (const each of metric.values) {
      const key = JSON.stringify([
        'metricName' in each ? each.metricName : '',
        Object.entries(each.labels).sort(),
      ])
      const value = (sum.values.get(key)?.value ?? 0) + each.value
      sum.values.set(key, { ...each, value })
    }
  }
  return [...sums.values()].map(({ metric, values }) => ({ ...metric, values: [...values.values()] }))
}
