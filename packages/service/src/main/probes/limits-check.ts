import { LimitsFault } from '../../limits/index.js'
import type { Finding } from './finding.js'
import type { Observation } from './observe.js'

const consequence =
  'Calls of keys with limits or budgets, and reading budgets, get 503; everything else works'

/** Finds why limits cannot be counted. `usesRedis` is false when a process of this service counts them. */
export function checkLimits(observation: Observation<void>, usesRedis: boolean): Finding[] {
  if ('seen' in observation) return []
  if (!usesRedis)
    return [
      {
        cause: 'supervisor_silent',
        message:
          'The process that counts limits for the workers does not reply. Restart the service if it does not recover',
      },
    ]
  const error = 'failed' in observation ? observation.failed : null
  const fault =
    error instanceof LimitsFault ? error : new LimitsFault('redis_unreachable', 'Redis does not answer')
  return [{ cause: fault.kind, message: `${fault.message}. ${consequence}` }]
}
