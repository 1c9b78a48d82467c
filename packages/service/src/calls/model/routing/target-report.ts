import type { ModelDirectories } from '../../../providers/index.js'
import type { ReadTargetHealth } from '../../../resources/routes/index.js'
import type { FailureKind } from './retry-rules.js'
import type { TargetHealth } from './target-health.js'

const descriptions: Record<FailureKind, string> = {
  connect: 'It could not be reached, or broke off',
  timeout: 'It did not answer in time',
  '429': 'It refused calls because there were too many (429)',
  '5xx': 'It answered with an error of its own (5xx)',
  credential: 'It refused our credential (401 or 403)',
}

const healthy = { state: 'ok' as const, until: null, lastError: null }

/** Creates the report on the health of targets, as seen by this replica. */
export function createTargetReport(
  directories: ModelDirectories,
  health: Pick<TargetHealth, 'of'>,
  now: { monotonicMs(): number; wallMs(): number } = {
    monotonicMs: () => performance.now(),
    wallMs: Date.now,
  },
): ReadTargetHealth {
  return async (tenantId) => {
    const models = await directories.for(tenantId)
    return (model) => {
      const target = models.find(model)
      if ('missing' in target) return healthy
      const { cooldownUntilMs, lastFailure } = health.of(target)
      return {
        state: cooldownUntilMs === null ? 'ok' : 'cooldown',
        until: cooldownUntilMs === null ? null : new Date(now.wallMs() + cooldownUntilMs - now.monotonicMs()),
        lastError: lastFailure && descriptions[lastFailure.kind],
      }
    }
  }
}
