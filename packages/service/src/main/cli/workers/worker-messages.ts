import type { MetricsPage, MetricValues } from '../../../observability/index.js'

/** A message from a worker to the supervisor. */
export type FromWorker =
  | { type: 'listening'; address: string }
  /** Sent periodically from its event loop. */
  | { type: 'alive' }
  | { type: 'metrics request'; id: number }
  | { type: 'metrics'; id: number; values: MetricValues }

/** A message from the supervisor to a worker. */
export type ToWorker =
  | { type: 'drain' }
  | { type: 'stop' }
  | { type: 'collect metrics'; id: number }
  | { type: 'metrics page'; id: number; page: MetricsPage }
