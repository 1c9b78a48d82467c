import type { MetricsPage, MetricValues } from '../telemetry/index.js'

/** From a worker to the supervisor. */
export type FromWorker =
  | { type: 'listening'; address: string }
  /** Said again and again from its event loop. */
  | { type: 'alive' }
  | { type: 'metrics request'; id: number }
  | { type: 'metrics'; id: number; values: MetricValues }

/** From the supervisor to a worker. */
export type ToWorker =
  | { type: 'drain' }
  | { type: 'stop' }
  | { type: 'collect metrics'; id: number }
  | { type: 'metrics page'; id: number; page: MetricsPage }
