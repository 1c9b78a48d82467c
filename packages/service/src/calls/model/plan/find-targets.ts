import { blocksModel, type Selection } from '../../../policies/index.js'
import type { ModelDirectory, Target, TokenCounter } from '../../../providers/index.js'
import type { EntryCheck } from '../../../record/index.js'
import { type Entitlements, scopeIdsOf } from '../../../resources/keys/index.js'
import type { RouteRecord } from '../../../resources/routes/index.js'
import { ApiError, invalidField } from '../../../shared/errors.js'
import type { Call } from '../call.js'
import { type OrderParts, orderTargets, type WeightedTarget } from '../routing/order-targets.js'
import type { AttemptOptions } from '../routing/retry-plan.js'
import type { FailureKind } from '../routing/retry-rules.js'
import { isModelAllowed } from './model-allowlists.js'
import type { CallReferences } from './references.js'
import { targetForEndpoint } from './target-for-endpoint.js'

/** The targets of a call, and those that were left out. */
export interface FoundTargets {
  attemptOptions: AttemptOptions
  /** One check for each target of the route that the caller may not use. */
  skipped: EntryCheck[]
}

interface TargetQuery {
  call: Call
  entitlements: Entitlements
  selection: Selection
  references: CallReferences
  tokens: TokenCounter
}

// How many further credentials of a provider are tried when one is refused.
const maxCredentialRetries = 3

/** Finds the model that the call names. Returns what is missing if there is none. */
export function findTarget(
  { call, tokens }: Pick<TargetQuery, 'call' | 'tokens'>,
  models: ModelDirectory,
): FoundTargets | { missing: string } {
  const found = models.find(call.model)
  if ('missing' in found) return found
  const target = targetForEndpoint(found, call.endpoint, tokens)
  if (target instanceof ApiError) throw target
  const { credentialCount, usesMachine = false } = target.provider
  // A token of the machine that was refused is fetched again, once.
  const others = credentialCount - 1 + (usesMachine ? 1 : 0)
  const maxRetries = Math.min(maxCredentialRetries, Math.max(0, others))
  return {
    attemptOptions: { targets: [target], rules: { maxRetries, on: ['credential'] }, timeoutMs: null },
    skipped: [],
  }
}

/**
 * Finds the models of a route that serve this endpoint and that the caller may use, in the order in which they are tried. When the caller
 * may use none, the first is returned, and its guard refuses the call with a receipt.
 */
export function findRouteTargets(
  query: TargetQuery,
  route: RouteRecord,
  models: ModelDirectory,
  parts: OrderParts,
): FoundTargets {
  const { call, tokens } = query
  const known = route.targets.flatMap(({ model, weight, dialect }): WeightedTarget[] => {
    const found = models.find(model)
    const isForEndpoint = (dialect ?? call.endpoint.name) === call.endpoint.name
    if ('missing' in found || !isForEndpoint) return []
    const target = targetForEndpoint(found, call.endpoint, tokens)
    return target instanceof ApiError ? [] : [{ target, weight }]
  })
  const [first] = known
  if (first === undefined)
    throw invalidField('model', `no target of the route ${route.name} supports this endpoint at the moment`)
  const usable = known.filter(({ target }) => isUsable(target, query))
  const skipped = known.filter((each) => !usable.includes(each)).map(({ target }) => describeSkipped(target))
  const ordered = orderTargets(usable, route.strategy, stickyKeyOf(query, route), parts)
  const [best = first.target, ...others] = ordered
  // A refused credential always leads to the next attempt.
  const on: FailureKind[] = [...route.retry.on, 'credential']
  const rules = { maxRetries: route.retry.attempts, on }
  return { attemptOptions: { targets: [best, ...others], rules, timeoutMs: route.timeoutMs }, skipped }
}

/** True when the caller may use the target and the target's provider stores what the call names. Other providers must not see those ids. */
const isUsable = (target: Target, { entitlements, selection, references }: TargetQuery): boolean =>
  isModelAllowed(target, entitlements) &&
  !blocksModel(selection.input, target.names) &&
  references.refusalAt(target.provider) === null

const describeSkipped = ({ name }: Target): EntryCheck => ({
  name: `route_target:${name}`,
  applicable: true,
  result: 'fail',
  action: 'skip',
})

/** Returns the key that sends related calls to the same target. Null when calls are not sticky. */
function stickyKeyOf({ call, entitlements }: TargetQuery, { id, stickyBy }: RouteRecord): string | null {
  if (stickyBy === 'none') return null
  const { userId, keyId } = scopeIdsOf(entitlements)
  const shared = stickyBy === 'session' ? call.session : (userId ?? keyId)
  return shared && `${id}\n${shared}`
}
