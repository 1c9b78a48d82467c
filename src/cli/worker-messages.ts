import type { MetricsPage, MetricValues } from '../http/index.js'

/** What a worker tells the process that started it. */
export type FromWorker =
  | { type: 'listening'; address: string }
  | { type: 'metrics wanted'; id: number }
  | { type: 'metrics'; id: number; values: MetricValues }

/** What it is told. */
export type ToWorker =
  | { type: 'stop' }
  | { type: 'metrics wanted'; id: number }
  | { type: 'metrics page'; id: number; page: MetricsPage }
