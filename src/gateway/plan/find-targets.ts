import { ApiError, invalidField } from '../../errors.js'
import type { EntryCheck } from '../../ledger/index.js'
import { type Entitlements, scopeIdsOf } from '../../modules/keys/index.js'
import { blocksModel, type Selection } from '../../modules/policies/index.js'
import type { RouteRecord } from '../../modules/routes/index.js'
import type { ModelDirectory, Target, TokenCounter } from '../../providers/index.js'
import type { Call } from '../call.js'
import type { CourseTerms } from '../routing/course.js'
import { type OrderParts, orderTargets, type WeightedTarget } from '../routing/order-targets.js'
import type { FailureKind } from '../routing/route.js'
import { mayUse } from './may-use.js'
import type { CallReferences } from './references.js'
import { serveTarget } from './served-target.js'

/** Where a call may go, and what of it was left out. */
export interface FoundTargets {
  course: CourseTerms
  /** One for each target of a route that the caller may not use: it is not tried. */
  skipped: EntryCheck[]
}

interface Asked {
  call: Call
  entitlements: Entitlements
  selection: Selection
  references: CallReferences
  tokens: TokenCounter
}

// Each credential of a provider may be tried, as long as one is refused.
const maxCredentialRetries = 3

/** The model that the call names. */
export function findTarget(
  { call, tokens }: Pick<Asked, 'call' | 'tokens'>,
  models: ModelDirectory,
): FoundTargets {
  const found = models.find(call.model)
  if ('missing' in found) throw new ApiError('model_not_found', found.missing)
  const target = serveTarget(found, call.dialect, tokens)
  if (target instanceof ApiError) throw target
  const attempts = Math.min(maxCredentialRetries, Math.max(0, target.provider.credentialCount - 1))
  return {
    course: { targets: [target], retry: { attempts, on: ['credential'] }, timeoutMs: null },
    skipped: [],
  }
}

/**
 * The models of a route that answer this endpoint and that the caller may use, in the order in which they are tried. Where it may use
 * none, the first is the only one: its guard refuses the call, and says so in the receipt.
 */
export function findRouteTargets(
  asked: Asked,
  route: RouteRecord,
  models: ModelDirectory,
  parts: OrderParts,
): FoundTargets {
  const { call, tokens } = asked
  const known = route.targets.flatMap(({ model, weight, dialect }): WeightedTarget[] => {
    const found = models.find(model)
    const isMeant = (dialect ?? call.dialect.name) === call.dialect.name
    if ('missing' in found || !isMeant) return []
    const target = serveTarget(found, call.dialect, tokens)
    return target instanceof ApiError ? [] : [{ target, weight }]
  })
  const [first] = known
  if (first === undefined)
    throw invalidField('model', `no target of the route ${route.name} answers this endpoint at the moment`)
  const usable = known.filter(({ target }) => isUsable(target, asked))
  const skipped = known.filter((each) => !usable.includes(each)).map(({ target }) => describeSkipped(target))
  const ordered = orderTargets(usable, route.strategy, stickinessOf(asked, route), parts)
  const [best = first.target, ...others] = ordered
  // A credential that is refused is no reason to give up where there is another way.
  const on: FailureKind[] = [...route.retry.on, 'credential']
  const retry = { attempts: route.retry.attempts, on }
  return { course: { targets: [best, ...others], retry, timeoutMs: route.timeoutMs }, skipped }
}

/** Something that one provider keeps is not known to another, and its id is none of the other's business. */
const isUsable = (target: Target, { entitlements, selection, references }: Asked): boolean =>
  mayUse(target, entitlements) &&
  !blocksModel(selection.input, target.names) &&
  references.refusalAt(target.provider) === null

const describeSkipped = ({ name }: Target): EntryCheck => ({
  name: `route_target:${name}`,
  applicable: true,
  result: 'fail',
  action: 'skip',
})

/** What calls have in common that go to the same target; null where any will do. */
function stickinessOf({ call, entitlements }: Asked, { id, stickyBy }: RouteRecord): string | null {
  if (stickyBy === 'none') return null
  const { userId, keyId } = scopeIdsOf(entitlements)
  const shared = stickyBy === 'session' ? call.session : (userId ?? keyId)
  return shared && `${id}\n${shared}`
}
