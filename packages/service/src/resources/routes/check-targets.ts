import { invalidRequest } from '../../shared/errors.js'
import type { CreateRoute } from './schema.js'

export interface TargetChecks {
  /** Returns null for a model that the tenant can call, and otherwise why it cannot. */
  faultOfModel(name: string): string | null
  isRoute(name: string): boolean
  /** The values that `dialect` of a target may have. */
  dialects: readonly string[]
}

/** Throws every fault of the list at once. */
export function requireTargets(targets: CreateRoute['targets'], checks: TargetChecks): void {
  const faults: { path: string; message: string }[] = []
  const seen = new Set<string>()
  for (const [index, { model, dialect }] of targets.entries()) {
    const place = `targets.${index}`
    const fault = checks.faultOfModel(model)
    if (fault !== null)
      faults.push({
        path: `${place}.model`,
        message: checks.isRoute(model) ? `${model} is a route: a target is a model` : fault,
      })
    if (dialect !== undefined && !checks.dialects.includes(dialect))
      faults.push({ path: `${place}.dialect`, message: `must be one of ${checks.dialects.join(', ')}` })
    const same = `${model} ${dialect ?? ''}`
    if (seen.has(same)) faults.push({ path: place, message: 'is listed twice; give it a higher weight' })
    seen.add(same)
  }
  const [first] = faults
  if (first) throw invalidRequest(`${first.path}: ${first.message}`, faults)
}
