import { isFree, type Price, paysFor, priceFromUsd } from '@tallystick/record/pricing'
import { countLocally, type Endpoint, type Target, type TokenCounter } from '../../../providers/index.js'
import { ApiError, invalidField } from '../../../shared/errors.js'

const freePrice: Price = priceFromUsd({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 })

/** Targets for endpoints that cost nothing. Cached, because metrics are counted per target object. */
const freeTargets = new WeakMap<Target, Target>()

/** Returns the target for an endpoint, or the reason why it does not serve it. */
export function targetForEndpoint(
  target: Target,
  endpoint: Endpoint,
  tokens: TokenCounter,
): Target | ApiError {
  const { provider, name } = target
  const counted = countsHere(target, endpoint)
  if (!counted && !provider.dialects.includes(endpoint.name))
    return invalidField(
      'model',
      `${name} is served by ${provider.name}, which does not support this endpoint`,
    )
  if (!isPricedFor(target, endpoint))
    return new ApiError(
      'model_not_found',
      `Model ${name} has no price for this endpoint. Models without a price are not called`,
    )
  if (endpoint.price.isFree !== true) return target
  const free = freeTargets.get(target) ?? {
    ...target,
    price: freePrice,
    ...(counted && { provider: countLocally(provider, target.properties, tokens) }),
  }
  freeTargets.set(target, free)
  return free
}

/** True when tokens are counted here, because the provider serves the endpoint whose tokens are counted but has none that counts them. */
const countsHere = ({ provider: { dialects } }: Target, { name, countsTokensOf }: Endpoint): boolean =>
  countsTokensOf !== undefined && !dialects.includes(name) && dialects.includes(countsTokensOf)

/**
 * True when the price covers the endpoint. A model without a known mode is priced by tokens, unless its price has a fee for the unit of the
 * endpoint.
 */
function isPricedFor({ price, mode }: Target, endpoint: Endpoint): boolean {
  const { modes, unit } = endpoint.price
  if (isFree(price) || (unit !== undefined && paysFor(price, unit))) return true
  return modes.includes(mode ?? 'chat')
}
