import { type Price, priceFromUsd, type UsdPrice, usdFromPrice } from '@tallystick/record/pricing'
import type { ModelDirectory, Provider, Target } from '../../providers/index.js'
import type { CatalogueModel, OwnPrices } from '../../resources/catalogue/index.js'

/** Lists every model that a tenant can call, once each, and those whose first price takes effect later. */
export function presentCatalogue(
  directory: ModelDirectory,
  providers: readonly Provider[],
  { inForce, upcoming }: OwnPrices,
): CatalogueModel[] {
  const models = new Map<string, Target>()
  for (const target of directory.list()) {
    const full = `${target.provider.name}/${target.model}`
    // A model with several names is listed by its full name, because an alias may have its own price.
    if (!models.has(full) || target.name === full) models.set(full, target)
  }
  const since = new Map(inForce.map((each) => [`${each.provider}/${each.model}`, each.effectiveFrom]))
  const upcomingPrices = new Map(
    upcoming.map((each) => [
      `${each.provider}/${each.model}`,
      { price: presentPriceTerms(each.price), effectiveFrom: each.effectiveFrom.toISOString() },
    ]),
  )
  const known = [...models].map(([full, target]) => ({
    ...present(target),
    effectiveFrom: target.source === 'tenant' ? (since.get(full)?.toISOString() ?? null) : null,
    upcoming: upcomingPrices.get(full) ?? null,
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
        upcoming: upcomingPrices.get(full) ?? null,
      }
    },
  )
  return [...known, ...unpriced]
}

const present = ({ provider, model, mode, names, price, properties, source }: Target) => ({
  provider: provider.name,
  model,
  mode,
  names: [...names],
  price: presentPrice(price),
  limits: { contextWindow: properties.contextWindow, maxOutputTokens: properties.maxOutputTokens },
  capabilities: {
    endpoints: [...provider.dialects],
    images: properties.images !== null,
    audio: properties.audioTokensPerSecond !== null,
    reasoning: properties.reasons ?? true,
  },
  source,
})

const presentPrice = (price: Price) => ({ ...usdFromPrice(price) })
const presentPriceTerms = (price: 'free' | UsdPrice) =>
  presentPrice(price === 'free' ? priceFromUsd({ inputUsdPerMTok: 0 }) : priceFromUsd(price))
