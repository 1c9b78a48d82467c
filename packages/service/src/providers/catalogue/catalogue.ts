import { readFileSync } from 'node:fs'
import { type Price, priceFromUsd, type UsdPrice } from '@tallystick/record/pricing'
import { type CatalogueFile, type Family, type ModelEntry, readCatalogueFile } from './catalogue-file.js'
import type { ModelMode, ModelProperties } from './model-properties.js'

/** The field of a chat request that holds the maximum output. */
export type OutputField = 'max_tokens' | 'max_completion_tokens'

export interface CatalogueModel {
  /** The model id in the provider's own API; it may contain slashes. */
  model: string
  provider: string
  mode: ModelMode
  price: Price
  properties: ModelProperties
  outputField: OutputField
  /**
   * The most tokens of content that one use of a hosted tool can add. For tools that are not listed, the limit is
   * the context window.
   */
  hostedToolTokens: Readonly<Record<string, number>>
  /** Set for prices from the operator's price file; absent for those of the built-in catalogue. */
  source?: 'file'
}

export interface Catalogue {
  /** Models by name, or by `provider/model` when the name already belongs to another provider's model. */
  models: ReadonlyMap<string, CatalogueModel>
  /** Reasons why models cannot be called, by `provider/model`: the operator's price for them is not usable. */
  refused: ReadonlyMap<string, string>
}

/** Loads the catalogue that ships with the program. Throws one error that lists every fault in the file. */
export function loadCatalogue(): Catalogue {
  return parseCatalogue(readFileSync(new URL('./prices.json', import.meta.url), 'utf8'))
}

export function parseCatalogue(text: string): Catalogue {
  const faults: string[] = []
  const file = readCatalogueFile(text, faults)
  const families = new Map([...file.families.keys()].map((name) => [name, extendFamily(name, file, faults)]))
  const models = new Map<string, CatalogueModel>()
  for (const entry of file.models) {
    const family = families.get(entry.family)
    if (models.has(entry.model)) faults.push(`${entry.model}: listed twice`)
    if (!file.providers.has(entry.provider))
      faults.push(`${entry.model}: provider ${entry.provider} has no source`)
    // A family with faults of its own has already been reported.
    if (family === undefined) {
      if (!file.families.has(entry.family)) faults.push(`${entry.model}: there is no family ${entry.family}`)
      continue
    }
    try {
      models.set(entry.model, toModel(entry, family, file))
    } catch (error) {
      faults.push(`${entry.model}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (faults.length > 0) throw new Error(`price catalogue:\n${faults.join('\n')}`)
  return { models, refused: new Map() }
}

/** Returns a family together with everything that it inherits. */
function extendFamily(name: string, { families, fees }: CatalogueFile, faults: string[]): Family | undefined {
  const chain: Family[] = []
  const seen = new Set<string>()
  for (let at: string | undefined = name; at !== undefined; ) {
    const family = families.get(at)
    if (family === undefined || seen.has(at)) {
      faults.push(`families.${name}: extends ${at}, which ${family ? 'extends it' : 'is not a family'}`)
      return undefined
    }
    seen.add(at)
    chain.unshift(family)
    at = family.extends
  }
  const family: Family = {}
  for (const part of chain) Object.assign(family, part)
  for (const field of ['source', 'asOf', 'tokenizer'] as const) {
    if (family[field] === undefined) faults.push(`families.${name}: ${field} is missing`)
  }
  for (const group of family.fees ?? []) {
    if (!fees.has(group)) faults.push(`families.${name}: there are no fees ${group}`)
  }
  return family
}

function toModel(entry: ModelEntry, family: Family, { fees }: CatalogueFile): CatalogueModel {
  const { model, provider, mode, contextWindow } = entry
  const feesUsd: Record<string, number> = {}
  for (const group of family.fees ?? []) Object.assign(feesUsd, fees.get(group)?.usd)
  if ('feesUsd' in entry) Object.assign(feesUsd, entry.feesUsd)
  const usd: UsdPrice = {
    inputUsdPerMTok: 0,
    ...entry,
    ...(Object.keys(feesUsd).length > 0 && { feesUsd }),
  }
  const tiers = { ...('tiers' in entry && withSameTiers(entry.tiers, family)), ...batchTier(mode, family) }
  return {
    model,
    provider,
    mode,
    price: priceFromUsd({ ...usd, ...(Object.keys(tiers).length > 0 && { tiers }) }),
    properties: {
      tokenizer: family.tokenizer ?? 'bytes',
      contextWindow,
      maxOutputTokens: maxOutputOf(entry),
      ...('separateOutput' in entry && entry.separateOutput && { separateOutput: true }),
      ...(family.defaultOutputTokens !== undefined && { defaultOutputTokens: family.defaultOutputTokens }),
      images: family.images ?? null,
      audioTokensPerSecond: family.audioTokensPerSecond ?? null,
      toolPromptTokens: family.toolPromptTokens ?? 0,
      ...(family.reasons !== undefined && { reasons: family.reasons }),
      vendorToolTokens: family.vendorToolTokens ?? 0,
      usesPerCall: family.usesPerCall ?? {},
    },
    outputField: family.outputField ?? 'max_tokens',
    hostedToolTokens: family.hostedTokens ?? {},
  }
}

/** A model that is not billed by output tokens has none to reserve. */
function maxOutputOf(entry: ModelEntry): number | null {
  if (entry.mode === 'embedding') return null
  return 'maxOutputTokens' in entry ? (entry.maxOutputTokens ?? 0) : 0
}

const isBatched = new Set<ModelMode>(['chat', 'responses', 'completion', 'embedding'])

/** The price of a call that runs as one line of a batch. */
const batchTier = (mode: ModelMode, { batchFactor = 1 }: Family): UsdPrice['tiers'] =>
  batchFactor < 1 && isBatched.has(mode) ? { batch: { factor: batchFactor } } : undefined

/** Copies the rates of a tier to the other name that the vendor uses for it. */
function withSameTiers(tiers: UsdPrice['tiers'], { sameTiers = {} }: Family): UsdPrice['tiers'] {
  if (tiers === undefined) return undefined
  const same = Object.entries(sameTiers).flatMap(([name, other]) => {
    const tier = tiers[other]
    return tier === undefined || tiers[name] !== undefined ? [] : [[name, tier] as const]
  })
  return { ...tiers, ...Object.fromEntries(same) }
}

/** Model settings from an operator's file: prices, or the reasons why prices cannot be used. */
export interface Overrides {
  models: readonly CatalogueModel[]
  /** By `provider/model`. */
  refused: ReadonlyMap<string, string>
}

/**
 * Returns the catalogue with an operator's models applied. An override replaces the model of the same provider; one
 * whose name belongs to another provider is available as `provider/model`. A refused override removes the model,
 * because its old price must not stay in force.
 */
export function overrideCatalogue(catalogue: Catalogue, overrides: Overrides): Catalogue {
  const models = new Map(catalogue.models)
  const refused = new Map([...catalogue.refused, ...overrides.refused])
  for (const [key, { provider, model }] of catalogue.models) {
    if (overrides.refused.has(`${provider}/${model}`)) models.delete(key)
  }
  for (const override of overrides.models) {
    const taken = models.get(override.model)
    const isOurs = taken === undefined || taken.provider === override.provider
    models.set(isOurs ? override.model : `${override.provider}/${override.model}`, override)
    refused.delete(`${override.provider}/${override.model}`)
  }
  return { models, refused }
}
