export { addUpMetrics, createMetrics, type Metrics, type MetricsPage, type MetricValues } from './metrics.js'
