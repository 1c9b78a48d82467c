import { type Endpoint, endpoints, type Target, type TokenCounter } from '../../../providers/index.js'
import { ApiError } from '../../../shared/errors.js'
import { targetForEndpoint } from './target-for-endpoint.js'

/** Returns the paths of the endpoints that at least one of the targets serves. A route may use a target for one dialect only. */
export function servedEndpoints(
  targets: readonly { target: Target; dialect: string | null }[],
  tokens: TokenCounter,
): string[] {
  const isServed = (endpoint: Endpoint) =>
    targets.some(
      ({ target, dialect }) =>
        (dialect ?? endpoint.name) === endpoint.name &&
        !(targetForEndpoint(target, endpoint, tokens) instanceof ApiError),
    )
  return Object.values(endpoints)
    .filter(isServed)
    .map(({ path }) => `/v1${path}`)
}
