export type { CallError, CallSummary, StageTime } from './call-summary.js'
export { genAiOperation, genAiProvider } from './gen-ai-names.js'
export { createLog, isPretty, type Log } from './log/log.js'
export { type LogExport, startLogExport } from './log/log-export.js'
export { writeLogLine } from './log/log-line.js'
export {
  createMetrics,
  type Metrics,
  type MetricsPage,
  type MetricValues,
  mergeCounters,
  mergeMetrics,
} from './metrics/metrics.js'
export { reusePage } from './metrics/reuse-page.js'
export type { Count, Distribution } from './metrics/series.js'
export { createTracing, type Tracing } from './traces/index.js'
