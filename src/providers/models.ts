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
  source: PriceSource
  /** Its answer is here already: no provider is asked, and nothing is used. */
  isCached?: true
}

/** Who says what a model costs: the catalogue of this repository, the operator's price file or configuration, or the tenant. */
export type PriceSource = 'catalogue' | 'file' | 'config' | 'tenant'

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

/** A tenant's own price of a model. It holds under every name of that model at that provider. */
export interface OwnPrice extends Omit<ModelSetting, 'model' | 'price'> {
  model: string
  price: 'free' | UsdPrice
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
  ownPrices?: readonly OwnPrice[]
  /** Why a provider that is there cannot be called, by its name. */
  unusable?: ReadonlyMap<string, string>
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
    const { facts, ...rest } = listed ?? unknownModel(provider)
    const target = toTarget(provider, {
      ...rest,
      model,
      mode: setting.mode ?? listed?.mode ?? null,
      price,
      outputField: setting.outputField ?? rest.outputField,
      facts: withLimits(facts, setting),
      source: setting.price === undefined ? (listed?.source ?? 'catalogue') : 'config',
    })
    add(name, target)
    // An entry under the model's own name is about that model, however it is asked for; an alias speaks for itself.
    const full = `${provider.name}/${model}`
    if (name === model || !targets.has(full)) add(full, target)
  }

  for (const setting of options.ownPrices ?? []) {
    const provider = providers.get(setting.provider)
    if (!provider) continue
    const { model } = setting
    const full = `${provider.name}/${model}`
    for (const name of [...(namesOf.get(full) ?? [full])]) {
      const known = targets.get(name)
      const { facts, ...rest } = known ?? unknownModel(provider)
      const target = toTarget(provider, {
        ...rest,
        model,
        mode: setting.mode ?? known?.mode ?? null,
        price: ownPriceOf(setting, known?.price),
        outputField: setting.outputField ?? rest.outputField,
        facts: withLimits(facts, setting),
        source: 'tenant',
      })
      add(name, target)
    }
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
    const fault = options.unusable?.get(name.slice(0, Math.max(slash, 0)))
    if (fault !== undefined) return `Model ${name} cannot be called: ${fault}`
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
const unknownModel = ({ pricesOf, outputField }: Provider) => ({
  ...defaultFacts(pricesOf),
  ...(outputField !== undefined && { outputField }),
})

const withLimits = (facts: ModelFacts, setting: Omit<ModelSetting, 'model'>): ModelFacts => ({
  ...facts,
  tokenizer: setting.tokenizer ?? facts.tokenizer,
  contextWindow: setting.contextWindow ?? facts.contextWindow,
  maxOutputTokens: setting.maxOutputTokens ?? facts.maxOutputTokens,
})

type KnownModel = Pick<CatalogueModel, 'model' | 'price' | 'facts' | 'outputField' | 'hosted'> & {
  mode: ModelMode | null
  source?: PriceSource
}

function toTarget(
  provider: Provider,
  { model, mode, price, facts, outputField, hosted, source = 'catalogue' }: KnownModel,
): Omit<Target, 'name' | 'names'> {
  return {
    provider,
    model,
    mode,
    price,
    facts,
    maxOutputTokens: facts.maxOutputTokens,
    outputField,
    hosted,
    source,
  }
}

const ownPriceOf = ({ price }: OwnPrice, known: Price | undefined): Price =>
  price === 'free' ? freePrice : withVendorPrices(priceFromUsd(price), known)

function priceOf({ price }: ModelSetting, listed: Price | undefined): Price | undefined {
  if (price === 'free') return freePrice
  return price === undefined ? listed : withVendorPrices(priceFromUsd(price), listed)
}
