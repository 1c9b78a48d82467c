import { type Price, priceFromUsd, type UsdPrice, usdFromPrice } from '@tallystick/record/pricing'
import type { ModelDirectory, Provider, Target } from '../../providers/index.js'
import type { CatalogueModel, OwnPrices } from '../../resources/catalogue/index.js'

/** Every model that a tenant can call, each once, and those whose first price is yet to come. */
export function presentCatalogue(
  directory: ModelDirectory,
  providers: readonly Provider[],
  { inForce, upcoming }: OwnPrices,
): CatalogueModel[] {
  const models = new Map<string, Target>()
  for (const target of directory.list()) {
    const full = `${target.provider.name}/${target.model}`
    // Of several names of a model the full one speaks for it: an alias may have a price of its own.
    if (!models.has(full) || target.name === full) models.set(full, target)
  }
  const since = new Map(inForce.map((each) => [`${each.provider}/${each.model}`, each.effectiveFrom]))
  const toCome = new Map(
    upcoming.map((each) => [
      `${each.provider}/${each.model}`,
      { price: presentTerms(each.price), effectiveFrom: each.effectiveFrom.toISOString() },
    ]),
  )
  const known = [...models].map(([full, target]) => ({
    ...present(target),
    effectiveFrom: target.source === 'tenant' ? (since.get(full)?.toISOString() ?? null) : null,
    upcoming: toCome.get(full) ?? null,
  }))
  const unpriced = upcoming.flatMap(
    ({ provider: name, model, mode = null, contextWindow, maxOutputTokens }) => {
      const full = `${name}/${model}`
      const provider = providers.find((each) => each.name === name)
      if (models.has(full) || provider === undefined) return []
      return {
        ...{
          provider: name,
          model,
          mode,
          names: [full],
          price: null,
          source: 'tenant' as const,
          effectiveFrom: null,
        },
        limits: { contextWindow: contextWindow ?? null, maxOutputTokens: maxOutputTokens ?? null },
        capabilities: { endpoints: [...provider.dialects], images: false, audio: false, reasoning: true },
        upcoming: toCome.get(full) ?? null,
      }
    },
  )
  return [...known, ...unpriced]
}

const present = ({ provider, model, mode, names, price, facts, source }: Target) => ({
  provider: provider.name,
  model,
  mode,
  names: [...names],
  price: presentPrice(price),
  limits: { contextWindow: facts.contextWindow, maxOutputTokens: facts.maxOutputTokens },
  capabilities: {
    endpoints: [...provider.dialects],
    images: facts.images !== null,
    audio: facts.audioTokensPerSecond !== null,
    reasoning: facts.reasons ?? true,
  },
  source,
})

const presentPrice = (price: Price) => ({ ...usdFromPrice(price) })
const presentTerms = (price: 'free' | UsdPrice) =>
  presentPrice(price === 'free' ? priceFromUsd({ inputUsdPerMTok: 0 }) : priceFromUsd(price))
