import type { components } from '../../../api'
import { parseScaled } from '../../../components'
import type { Route } from '../use-providers'

export interface TargetDraft {
  model: string
  weight: string
  /** Empty for all endpoints. */
  dialect: string
}

/** The values of the route form: numbers are text. */
export interface RouteDraft {
  name: string
  strategy: Route['strategy']
  targets: TargetDraft[]
  attempts: string
  on: Route['retry']['on']
  /** In seconds; empty for no timeout. */
  timeout: string
  stickyBy: Route['stickyBy']
  /** In seconds; empty disables the response cache. */
  cacheTtl: string
  cacheScope: NonNullable<Route['cache']>['scope']
}

export const emptyTarget: TargetDraft = { model: '', weight: '1', dialect: '' }

export const toDraft = (route: Route | null): RouteDraft => ({
  name: route?.name ?? '',
  strategy: route?.strategy ?? 'priority',
  targets: route?.targets.map(({ model, weight, dialect }) => ({
    model,
    weight: String(weight),
    dialect: dialect ?? '',
  })) ?? [emptyTarget, emptyTarget],
  attempts: String(route?.retry.attempts ?? 2),
  on: route?.retry.on ?? ['connect', 'timeout', '429', '5xx'],
  timeout: route?.timeoutMs == null ? '' : String(route.timeoutMs / 1_000),
  stickyBy: route?.stickyBy ?? 'none',
  cacheTtl: route?.cache == null ? '' : String(route.cache.ttlSeconds),
  cacheScope: route?.cache?.scope ?? 'key',
})

/** Empty rows are ignored. */
export const filledTargets = ({ targets }: RouteDraft) => targets.filter(({ model }) => model.trim() !== '')

export const toBody = (draft: RouteDraft): components['schemas']['CreateRoute'] => ({
  name: draft.name.trim(),
  strategy: draft.strategy,
  targets: filledTargets(draft).map(({ model, weight, dialect }) => ({
    model: model.trim(),
    weight: Number(weight),
    ...(dialect !== '' && { dialect }),
  })),
  retry: { attempts: Number(draft.attempts), on: [...draft.on] },
  timeoutMs: parseScaled(draft.timeout, 1_000),
  stickyBy: draft.stickyBy,
  cache:
    draft.cacheTtl.trim() === '' ? null : { ttlSeconds: Number(draft.cacheTtl), scope: draft.cacheScope },
})
