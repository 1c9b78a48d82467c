import { type Price, priceFromUsd, type UsdPrice } from '@tallystick/record/pricing'
import type { Provider } from '../provider.js'
import type { Catalogue, CatalogueModel } from './catalogue.js'
import { defaultProperties } from './default-properties.js'
import type { ModelMode, ModelProperties, Tokenizer } from './model-properties.js'
import { withVendorPrices } from './vendor-prices.js'

/** Where a call goes: the provider, the name of the model there, its price and its properties. */
export interface Target {
  name: string
  /** Every name of this model at this provider. An allowlist that contains any of them allows the model. */
  names: readonly string[]
  provider: Provider
  /** The model's name in the provider's own API. */
  model: string
  /** The mode catalogued in the catalogue; null for a model that only the configuration knows. */
  mode: ModelMode | null
  price: Price
  properties: ModelProperties
  maxOutputTokens: number | null
  /** The field of a chat request that holds the maximum output. */
  outputField: CatalogueModel['outputField']
  /**
   * The most tokens of content that one use of a hosted tool can add. For tools that are not catalogued, the limit is
   * the context window.
   */
  hostedToolTokens: CatalogueModel['hostedToolTokens']
  source: PriceSource
  /** Set when the answer comes from the response cache: no provider is called, and nothing is used. */
  isCached?: true
}

/** Where a price comes from: the built-in catalogue, the operator's price file or configuration, or the tenant. */
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

/** A tenant's own price for a model. It applies to every name of that model at that provider. */
export interface OwnPrice extends Omit<ModelSetting, 'model' | 'price'> {
  model: string
  price: 'free' | UsdPrice
}

/** The models that can be called, by catalogue name or as `provider/model`. */
export interface ModelDirectory {
  find(name: string): Target | { missing: string }
  list(): Target[]
}

/** Model directories by tenant: a tenant has its own providers and prices besides those of the instance. */
export interface ModelDirectories {
  for(tenantId: string): Promise<ModelDirectory>
}

const freePrice: Price = priceFromUsd({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 })

export function createModelDirectory(options: {
  providers: readonly Provider[]
  catalogue: Catalogue
  settings: Readonly<Record<string, ModelSetting>>
  ownPrices?: readonly OwnPrice[]
  /** Reasons why configured providers cannot be called, by provider name. */
  unusable?: ReadonlyMap<string, string>
}): ModelDirectory {
  const providers = new Map(options.providers.map((provider) => [provider.name, provider]))
  // Bounded: models of the catalogue and the settings.
  const targets = new Map<string, Target>()
  // Bounded: models of the settings.
  const unpriced = new Set<string>()
  const { models: listedModels, refused } = options.catalogue
  /** By provider and its own model name: all names under which that model can be called. */
  // Bounded: models of the catalogue and the settings.
  const namesOf = new Map<string, string[]>()

  function add(name: string, target: Omit<Target, 'name' | 'names'>): void {
    const fullName = `${target.provider.name}/${target.model}`
    const names = namesOf.get(fullName) ?? []
    namesOf.set(fullName, names)
    if (!names.includes(name)) names.push(name)
    targets.set(name, { ...target, name, names })
  }

  for (const entry of listedModels.values()) {
    for (const provider of providers.values()) {
      if (provider.pricesOf !== entry.provider) continue
      const fullName = `${provider.name}/${entry.model}`
      // The short name belongs to the provider in the catalogue, not to one that uses the same prices.
      const names =
        provider.name === entry.provider && provider.name !== 'mock' ? [fullName, entry.model] : [fullName]
      for (const name of names) add(name, toTarget(provider, entry))
    }
  }

  for (const [name, setting] of Object.entries(options.settings)) {
    const provider = providers.get(setting.provider)
    if (!provider) continue
    const model = setting.model ?? name
    const known = listedModels.get(`${provider.pricesOf}/${model}`) ?? listedModels.get(model)
    const catalogued = known?.provider === provider.pricesOf ? known : undefined
    const price = priceOf(setting, catalogued?.price)
    if (!price) {
      unpriced.add(name)
      continue
    }
    const { properties, ...rest } = catalogued ?? unknownModel(provider)
    const target = toTarget(provider, {
      ...rest,
      model,
      mode: setting.mode ?? catalogued?.mode ?? null,
      price,
      outputField: setting.outputField ?? rest.outputField,
      properties: withLimits(properties, setting),
      source: setting.price === undefined ? (catalogued?.source ?? 'catalogue') : 'config',
    })
    add(name, target)
    // An entry under the model's own name applies to that model under every name. An entry under an alias applies to that
    // alias only.
    const fullName = `${provider.name}/${model}`
    if (name === model || !targets.has(fullName)) add(fullName, target)
  }

  for (const setting of options.ownPrices ?? []) {
    const provider = providers.get(setting.provider)
    if (!provider) continue
    const { model } = setting
    const fullName = `${provider.name}/${model}`
    for (const name of [...(namesOf.get(fullName) ?? [fullName])]) {
      const known = targets.get(name)
      const { properties, ...rest } = known ?? unknownModel(provider)
      const target = toTarget(provider, {
        ...rest,
        model,
        mode: setting.mode ?? known?.mode ?? null,
        price: ownPriceOf(setting, known?.price),
        outputField: setting.outputField ?? rest.outputField,
        properties: withLimits(properties, setting),
        source: 'tenant',
      })
      add(name, target)
    }
  }

  /** Returns why the price of this model cannot be used, under any of its names. */
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
      return `Model ${name} has no price: set one in the configuration, or set "price: free"`
    const slash = name.indexOf('/')
    const fault = options.unusable?.get(name.slice(0, Math.max(slash, 0)))
    if (fault !== undefined) return `Model ${name} cannot be called: ${fault}`
    const provider = providers.get(name.slice(0, Math.max(slash, 0)))
    if (provider) {
      const entry = listedModels.get(name.slice(slash + 1))
      const hint =
        entry === undefined || entry.provider === provider.pricesOf
          ? ''
          : `. If it bills the list prices of ${entry.provider}, set its pricesOf to ${entry.provider}`
      return `Model ${name} has no price at provider ${provider.name}; an unpriced model is not called${hint}`
    }
    const entry = listedModels.get(name)
    if (entry) return `Model ${name} is known, but its provider ${entry.provider} is not configured`
    return `Model ${name} is not known; GET /v1/models lists what this key may use`
  }

  return {
    find: (name) => targets.get(name) ?? { missing: explainMissing(name) },
    list: () => [...targets.values()],
  }
}

/**
 * Returns the properties of a model that the catalogue does not list. Which output field is honoured depends on the vendor
 * that serves the model, not on the vendor whose prices apply.
 */
const unknownModel = ({ pricesOf, outputField }: Provider) => ({
  ...defaultProperties(pricesOf),
  ...(outputField !== undefined && { outputField }),
})

const withLimits = (properties: ModelProperties, setting: Omit<ModelSetting, 'model'>): ModelProperties => ({
  ...properties,
  tokenizer: setting.tokenizer ?? properties.tokenizer,
  contextWindow: setting.contextWindow ?? properties.contextWindow,
  maxOutputTokens: setting.maxOutputTokens ?? properties.maxOutputTokens,
})

type KnownModel = Pick<
  CatalogueModel,
  'model' | 'price' | 'properties' | 'outputField' | 'hostedToolTokens'
> & {
  mode: ModelMode | null
  source?: PriceSource
}

function toTarget(
  provider: Provider,
  { model, mode, price, properties, outputField, hostedToolTokens, source = 'catalogue' }: KnownModel,
): Omit<Target, 'name' | 'names'> {
  return {
    provider,
    model,
    mode,
    price,
    properties,
    maxOutputTokens: properties.maxOutputTokens,
    outputField,
    hostedToolTokens,
    source,
  }
}

const ownPriceOf = ({ price }: OwnPrice, known: Price | undefined): Price =>
  price === 'free' ? freePrice : withVendorPrices(priceFromUsd(price), known)

function priceOf({ price }: ModelSetting, catalogued: Price | undefined): Price | undefined {
  if (price === 'free') return freePrice
  return price === undefined ? catalogued : withVendorPrices(priceFromUsd(price), catalogued)
}
