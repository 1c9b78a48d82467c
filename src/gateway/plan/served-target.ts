import { ApiError, invalidField } from '../../errors.js'
import { isFree, type Price, paysFor, priceFromUsd } from '../../pricing/index.js'
import { countHere, type Dialect, type Target, type TokenCounter } from '../../providers/index.js'

const freePrice: Price = priceFromUsd({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 })

/** The same model for an endpoint that costs nothing. Kept, since figures are counted by the target. */
const freeTargets = new WeakMap<Target, Target>()

/** The target as it serves an endpoint, or why it does not. */
export function serveTarget(target: Target, dialect: Dialect, tokens: TokenCounter): Target | ApiError {
  const { provider, name } = target
  const counted = countsHere(target, dialect)
  if (!counted && !provider.dialects.includes(dialect.name))
    return invalidField('model', `${name} is served by ${provider.name}, which does not answer this endpoint`)
  if (!isPricedFor(target, dialect))
    return new ApiError(
      'model_not_found',
      `Model ${name} has no price for this endpoint; what is unpriced is not called`,
    )
  if (dialect.isFree !== true) return target
  const free = freeTargets.get(target) ?? {
    ...target,
    price: freePrice,
    ...(counted && { provider: countHere(provider, target.facts, tokens) }),
  }
  freeTargets.set(target, free)
  return free
}

/** A provider that answers the messages of a model, and has no endpoint that counts them. */
const countsHere = ({ provider: { dialects } }: Target, { name, inputOf }: Dialect): boolean =>
  name === 'count_tokens' && !dialects.includes(name) && dialects.includes(inputOf ?? name)

/** A model that only the configuration knows is priced by tokens, unless its price has a fee for what the endpoint is paid by. */
function isPricedFor({ price, mode }: Target, { modes, unit }: Dialect): boolean {
  if (isFree(price) || (unit !== undefined && paysFor(price, unit))) return true
  return modes.includes(mode ?? 'chat')
}
