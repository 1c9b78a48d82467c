import { type Price, priceFromUsd, type UsdPrice } from '../pricing/index.js'
import type { Catalogue, CatalogueModel } from './catalogue/catalogue.js'
import { defaultFacts } from './catalogue/default-facts.js'
import { withVendorPrices } from './catalogue/known-price.js'
import type { ModelFacts, ModelMode, Tokenizer } from './model-facts.js'
import type { Provider } from './transport.js'

/** Where a call goes: whose model, under what name, at what price, and what is known of it. */
export interface Target {
  name: string
  /** Every name of the same model at the same provider: an allowlist that has one of them means it. */
  names: readonly string[]
  provider: Provider
  /** The provider's own name. */
  model: string
  /** What it is listed as; null for one that only the configuration knows. */
  mode: ModelMode | null
  price: Price
  facts: ModelFacts
  maxOutputTokens: number | null
  /** The field of a chat request that the maximum output goes into. */
  outputField: CatalogueModel['outputField']
  /** Tokens of content that one use of a hosted tool brings at most. For a tool that is not named: the context window. */
  hosted: CatalogueModel['hosted']
  /** Its answer is here already: no provider is asked, and nothing is used. */
  isCached?: true
}

export interface ModelSetting {
  provider: string
  model?: string
  mode?: ModelMode
  price?: 'free' | UsdPrice
  contextWindow?: number
  maxOutputTokens?: number
  outputField?: CatalogueModel['outputField']
  tokenizer?: Tokenizer
}

/** Which models can be called, by catalogue name or as `provider/model`. */
export interface ModelDirectory {
  find(name: string): Target | { missing: string }
  list(): Target[]
}

/** A tenant has providers and prices of its own beside those of the instance. */
export interface ModelDirectories {
  for(tenantId: string): Promise<ModelDirectory>
}

const freePrice: Price = priceFromUsd({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 })

export function createModelDirectory(options: {
  providers: readonly Provider[]
  catalogue: Catalogue
  settings: Readonly<Record<string, ModelSetting>>
}): ModelDirectory {
  const providers = new Map(options.providers.map((provider) => [provider.name, provider]))
  const targets = new Map<string, Target>()
  const unpriced = new Set<string>()
  const { models: listedModels, refused } = options.catalogue
  /** By provider and its own name of the model: all names under which that model can be asked for. */
  const namesOf = new Map<string, string[]>()

  function add(name: string, target: Omit<Target, 'name' | 'names'>): void {
    const full = `${target.provider.name}/${target.model}`
    const names = namesOf.get(full) ?? []
    namesOf.set(full, names)
    if (!names.includes(name)) names.push(name)
    targets.set(name, { ...target, name, names })
  }

  for (const entry of listedModels.values()) {
    for (const provider of providers.values()) {
      if (provider.pricesOf !== entry.provider) continue
      const full = `${provider.name}/${entry.model}`
      // The short name goes to the provider that the catalogue names, not to one that borrows its prices.
      const names =
        provider.name === entry.provider && provider.name !== 'mock' ? [full, entry.model] : [full]
      for (const name of names) add(name, toTarget(provider, entry))
    }
  }

  for (const [name, setting] of Object.entries(options.settings)) {
    const provider = providers.get(setting.provider)
    if (!provider) continue
    const model = setting.model ?? name
    const known = listedModels.get(`${provider.pricesOf}/${model}`) ?? listedModels.get(model)
    const listed = known?.provider === provider.pricesOf ? known : undefined
    const price = priceOf(setting, listed?.price)
    if (!price) {
      unpriced.add(name)
      continue
    }
    const { facts, ...rest } = listed ?? { ...defaultFacts(provider.pricesOf), ...outputFieldOf(provider) }
    const target = toTarget(provider, {
      ...rest,
      model,
      mode: setting.mode ?? listed?.mode ?? null,
      price,
      outputField: setting.outputField ?? rest.outputField,
      facts: {
        ...facts,
        tokenizer: setting.tokenizer ?? facts.tokenizer,
        contextWindow: setting.contextWindow ?? facts.contextWindow,
        maxOutputTokens: setting.maxOutputTokens ?? facts.maxOutputTokens,
      },
    })
    add(name, target)
    // An entry under the model's own name is about that model, however it is asked for; an alias speaks for itself.
    const full = `${provider.name}/${model}`
    if (name === model || !targets.has(full)) add(full, target)
  }

  /** Why the price of this model cannot be used; it may be asked for by any of its names. */
  function refusalOf(name: string): string | undefined {
    for (const provider of providers.values()) {
      const model = name.startsWith(`${provider.name}/`) ? name.slice(provider.name.length + 1) : name
      const setting = options.settings[name]
      const asked = setting?.provider === provider.name ? (setting.model ?? name) : model
      const reason = refused.get(`${provider.pricesOf}/${asked}`)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  function explainMissing(name: string): string {
    const refusal = refusalOf(name)
    if (refusal !== undefined) return `Model ${name} has a price that cannot be used: ${refusal}`
    if (unpriced.has(name))
      return `Model ${name} has no price: give it one in the configuration, or say "price: free"`
    const slash = name.indexOf('/')
    const provider = providers.get(name.slice(0, Math.max(slash, 0)))
    if (provider)
      return `Model ${name} has no price at provider ${provider.name}; an unpriced model is not called`
    const entry = listedModels.get(name)
    if (entry) return `Model ${name} is known, but its provider ${entry.provider} is not configured`
    return `Model ${name} is not known; GET /v1/models lists what this key may use`
  }

  return {
    find: (name) => targets.get(name) ?? { missing: explainMissing(name) },
    list: () => [...targets.values()],
  }
}

/** A vendor knows better than whoever's prices apply which field it honours. */
const outputFieldOf = ({ outputField }: Provider) => (outputField === undefined ? {} : { outputField })

type KnownModel = Pick<CatalogueModel, 'model' | 'price' | 'facts' | 'outputField' | 'hosted'> & {
  mode: ModelMode | null
}

function toTarget(
  provider: Provider,
  { model, mode, price, facts, outputField, hosted }: KnownModel,
): Omit<Target, 'name' | 'names'> {
  return { provider, model, mode, price, facts, maxOutputTokens: facts.maxOutputTokens, outputField, hosted }
}

function priceOf({ price }: ModelSetting, listed: Price | undefined): Price | undefined {
  if (price === 'free') return freePrice
  return price === undefined ? listed : withVendorPrices(priceFromUsd(price), listed)
}
