import type { Config } from '../../../config/index.js'
import type { MetricsPage, MetricValues } from '../../../observability/index.js'
import type { WorkerGroup } from '../../probes/workers-check.js'

/** A message from a worker to the supervisor. */
export type FromWorker =
  /** The first message, because a message that was sent to it before would be lost. */
  | { type: 'config request' }
  | { type: 'listening'; address: string }
  /** Sent periodically from its event loop. */
  | { type: 'alive' }
  | { type: 'metrics request'; id: number }
  | { type: 'metrics'; id: number; values: MetricValues }

/** A message from the supervisor to a worker. */
export type ToWorker =
  /** Sent on request, and when the configuration changed. A worker does not read the configuration itself. */
  | { type: 'config'; config: Config }
  /** How many references to secrets cannot be read, for the metrics. */
  | { type: 'secret outages'; count: number }
  /** Why the bundled database is not available; null while it is. */
  | { type: 'database fault'; message: string | null }
  | { type: 'drain' }
  | { type: 'stop' }
  | { type: 'collect metrics'; id: number }
  | { type: 'metrics page'; id: number; page: MetricsPage }
  | { type: 'group'; group: WorkerGroup }
