import type { Readiness } from '../../http/index.js'

export type CheckName = keyof Readiness['checks']
export type State = Readiness['status']

/**
 * Every cause that a check can name, and the state that it means: `unready` when this replica can carry out no call, `degraded` when it can
 * carry out some, or when another fault would now lose its safety net. A load balancer that took all replicas out for a fault that
 * they share would refuse the calls that still work. Each cause is a value of the metric `tallystick_fault`.
 */
export const causes = {
  database_unreachable: 'unready',
  database_hung: 'unready',
  database_exhausted: 'unready',
  database_read_only: 'unready',
  database_full: 'unready',
  schema_refused: 'unready',
  serving_lock_lost: 'unready',
  redis_unreachable: 'degraded',
  redis_refuses_writes: 'degraded',
  redis_may_evict: 'degraded',
  supervisor_silent: 'unready',
  record_not_writable: 'unready',
  record_refused: 'degraded',
  clock_off: 'degraded',
  spool_not_drained: 'degraded',
  spool_not_writable: 'degraded',
  disk_full: 'degraded',
  disk_low: 'degraded',
  disk_not_writable: 'degraded',
  worker_silent: 'degraded',
  worker_missing: 'degraded',
  stopping: 'unready',
} as const satisfies Record<string, State>

export type Cause = keyof typeof causes

/** Something that is wrong, with a message that says what to do. */
export interface Finding {
  cause: Cause
  message: string
  /** Replaces the usual state of the cause. */
  state?: State
}

export const stateOf = ({ cause, state }: Finding): State => state ?? causes[cause]

/** What is wrong with each dependency, the most important first. */
export type Findings = Record<CheckName, Finding[]>
