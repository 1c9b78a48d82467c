import { blocksModel, type Selection } from '../../../policies/index.js'
import type { Endpoint, ModelDirectory, Target, TokenCounter } from '../../../providers/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import type { RouteRecord } from '../../../resources/routes/index.js'
import { ApiError } from '../../../shared/errors.js'
import { isModelAllowed } from './model-allowlists.js'
import { nearestNames } from './nearest-names.js'
import { targetForEndpoint } from './target-for-endpoint.js'

/** The error for a model that cannot be found. It names models that may be meant, only of those that the caller may use. */
export function modelNotFound(
  { name, missing, endpoint }: { name: string; missing: string; endpoint: Endpoint },
  {
    models,
    routes,
    ...caller
  }: {
    models: ModelDirectory
    routes: readonly RouteRecord[]
    entitlements: Entitlements
    selection: Selection
    tokens: TokenCounter
  },
): ApiError {
  const isUsable = (target: Target) =>
    isModelAllowed(target, caller.entitlements) &&
    !blocksModel(caller.selection.input, target.names) &&
    !(targetForEndpoint(target, endpoint, caller.tokens) instanceof ApiError)
  const canCall = (candidate: string): boolean => {
    // A route's name wins over a model of the same name.
    const route = routes.find((each) => each.name === candidate)
    const names = route?.targets.map(({ model }) => model) ?? [candidate]
    return names.some((each) => {
      const target = models.find(each)
      return !('missing' in target) && isUsable(target)
    })
  }
  const candidates = new Set([...routes, ...models.list()].map((each) => each.name))
  return new ApiError('model_not_found', withSuggestions(missing, nearestNames(name, candidates, canCall)))
}

/** Adds the names to a message that says what is missing. */
export function withSuggestions(message: string, names: readonly string[]): string {
  const last = names.at(-1)
  if (last === undefined) return message
  const others = names.slice(0, -1).join(', ')
  return `${message}. Did you mean ${others === '' ? last : `${others} or ${last}`}?`
}
