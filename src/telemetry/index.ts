export type { CallError, CallFacts, StageTime } from './call-facts.js'
export { createLog, type Log } from './log.js'
export { addUpMetrics, createMetrics, type Metrics, type MetricsPage, type MetricValues } from './metrics.js'
