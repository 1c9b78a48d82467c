import type { Route } from './schema.js'
import type { RouteRow } from './store.js'

/** The health of a target, as this replica has observed it. */
export interface TargetHealth {
  state: 'ok' | 'cooldown'
  until: Date | null
  lastError: string | null
}

/** Returns the health of a tenant's models, by the model name in a target. */
export type ReadTargetHealth = (tenantId: string) => Promise<(model: string) => TargetHealth>

/** Returns the settings, for the audit log. */
export const describeRoute = (row: RouteRow) => ({
  id: row.id,
  name: row.name,
  strategy: row.strategy,
  targets: row.targets,
  retry: row.retry,
  timeoutMs: row.timeout_ms,
  stickyBy: row.sticky_by,
  cache: row.cache,
  enabled: row.enabled,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export function presentRoute(
  row: RouteRow,
  isModel: (name: string) => boolean,
  healthOf: (model: string) => TargetHealth,
): Route {
  return {
    ...describeRoute(row),
    targets: row.targets.map((target) => ({
      ...target,
      ...(isModel(target.model) ? present(healthOf(target.model)) : missing),
    })),
  }
}

const missing = { state: 'missing' as const, until: null, lastError: null }

const present = ({ state, until, lastError }: TargetHealth) => ({
  state,
  until: until?.toISOString() ?? null,
  lastError,
})
