import { type Price, priceFromUsd, type UsdPrice } from '../pricing/index.js'
import type { CatalogueModel } from './catalogue/catalogue.js'
import type { Provider } from './transport.js'

/** Where a call goes: whose model, under what name, at what price. */
export interface Target {
  name: string
  /** Every name of the same model at the same provider: an allowlist that has one of them means it. */
  names: readonly string[]
  provider: Provider
  /** The provider's own name. */
  model: string
  price: Price
  maxOutputTokens: number | null
}

export interface ModelSetting {
  provider: string
  model?: string
  price?: 'free' | UsdPrice
  maxOutputTokens?: number
}

/** Which models can be called, by catalogue name or as `provider/model`. */
export interface ModelDirectory {
  find(name: string): Target | { missing: string }
  list(): Target[]
}

const freePrice: Price = priceFromUsd({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 })

export function createModelDirectory(options: {
  providers: readonly Provider[]
  catalogue: ReadonlyMap<string, CatalogueModel>
  settings: Readonly<Record<string, ModelSetting>>
}): ModelDirectory {
  const providers = new Map(options.providers.map((provider) => [provider.name, provider]))
  const targets = new Map<string, Target>()
  const unpriced = new Set<string>()
  /** By provider and its own name of the model: all names under which that model can be asked for. */
  const namesOf = new Map<string, string[]>()

  function add(name: string, target: Omit<Target, 'name' | 'names'>): void {
    const full = `${target.provider.name}/${target.model}`
    const names = namesOf.get(full) ?? []
    namesOf.set(full, names)
    if (!names.includes(name)) names.push(name)
    targets.set(name, { ...target, name, names })
  }

  for (const entry of options.catalogue.values()) {
    for (const provider of providers.values()) {
      if (provider.pricesOf !== entry.provider) continue
      const full = `${provider.name}/${entry.model}`
      // The short name goes to the provider that the catalogue names, not to one that borrows its prices.
      const names =
        provider.name === entry.provider && provider.name !== 'mock' ? [full, entry.model] : [full]
      const { model, price, maxOutputTokens } = entry
      for (const name of names) add(name, { provider, model, price, maxOutputTokens })
    }
  }

  for (const [name, setting] of Object.entries(options.settings)) {
    const provider = providers.get(setting.provider)
    if (!provider) continue
    const model = setting.model ?? name
    const known = options.catalogue.get(`${provider.pricesOf}/${model}`) ?? options.catalogue.get(model)
    const listed = known?.provider === provider.pricesOf ? known : undefined
    const price =
      setting.price === 'free' ? freePrice : setting.price ? priceFromUsd(setting.price) : listed?.price
    if (!price) {
      unpriced.add(name)
      continue
    }
    const maxOutputTokens = setting.maxOutputTokens ?? listed?.maxOutputTokens ?? null
    add(name, { provider, model, price, maxOutputTokens })
    // An entry under the model's own name is about that model, however it is asked for; an alias speaks for itself.
    const full = `${provider.name}/${model}`
    if (name === model || !targets.has(full)) add(full, { provider, model, price, maxOutputTokens })
  }

  function explainMissing(name: string): string {
    if (unpriced.has(name))
      return `Model ${name} has no price: give it one in the configuration, or say "price: free"`
    const slash = name.indexOf('/')
    const provider = providers.get(name.slice(0, Math.max(slash, 0)))
    if (provider)
      return `Model ${name} has no price at provider ${provider.name}; an unpriced model is not called`
    const entry = options.catalogue.get(name)
    if (entry) return `Model ${name} is known, but its provider ${entry.provider} is not configured`
    return `Model ${name} is not known; GET /v1/models lists what this key may use`
  }

  return {
    find: (name) => targets.get(name) ?? { missing: explainMissing(name) },
    list: () => [...targets.values()],
  }
}
