import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Price, priceFromUsd } from '../../pricing/index.js'

export interface CatalogueModel {
  /** The id that the provider's own API takes; it may contain slashes. */
  model: string
  provider: string
  mode: 'chat' | 'responses' | 'embedding'
  price: Price
  maxInputTokens: number
  maxOutputTokens: number | null
}

// A price of zero is refused: a model nobody has priced must not be free by accident.
const UsdPerMTok = Type.Number({ exclusiveMinimum: 0 })
const TokenLimit = Type.Integer({ minimum: 1 })
const closed = { additionalProperties: false }

const rates = {
  inputUsdPerMTok: UsdPerMTok,
  cacheReadUsdPerMTok: Type.Optional(UsdPerMTok),
  cacheWriteUsdPerMTok: Type.Optional(UsdPerMTok),
}
const named = { model: Type.String({ minLength: 1 }), provider: Type.String({ minLength: 1 }) }

const GeneratingModel = Type.Object(
  {
    ...named,
    mode: Type.Union([Type.Literal('chat'), Type.Literal('responses')]),
    maxInputTokens: TokenLimit,
    maxOutputTokens: TokenLimit,
    ...rates,
    outputUsdPerMTok: UsdPerMTok,
    longer: Type.Optional(
      Type.Array(
        Type.Object({ aboveInputTokens: TokenLimit, ...rates, outputUsdPerMTok: UsdPerMTok }, closed),
      ),
    ),
  },
  closed,
)

const EmbeddingModel = Type.Object(
  { ...named, mode: Type.Literal('embedding'), maxInputTokens: TokenLimit, inputUsdPerMTok: UsdPerMTok },
  closed,
)

const CatalogueFile = Type.Object({ asOf: Type.String(), models: Type.Array(Type.Unknown()) }, closed)

type Entry = Static<typeof GeneratingModel> | Static<typeof EmbeddingModel>

/** The catalogue that ships with the program, by model. Throws one error that lists every fault in the file. */
export function loadCatalogue(): Map<string, CatalogueModel> {
  return readCatalogue(readFileSync(new URL('./prices.json', import.meta.url), 'utf8'))
}

export function readCatalogue(text: string): Map<string, CatalogueModel> {
  const file: unknown = JSON.parse(text)
  const fileShape = Compile(CatalogueFile)
  if (!fileShape.Check(file)) throw new Error('price catalogue: expected { "asOf": string, "models": [...] }')

  const generating = Compile(GeneratingModel)
  const embedding = Compile(EmbeddingModel)
  const catalogue = new Map<string, CatalogueModel>()
  const faults: string[] = []
  for (const [index, entry] of file.models.entries()) {
    const name = nameOf(entry) ?? `entry ${index}`
    if (generating.Check(entry) || embedding.Check(entry)) {
      if (catalogue.has(entry.model)) faults.push(`${name}: listed twice`)
      try {
        catalogue.set(entry.model, toModel(entry))
      } catch (error) {
        faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    } else {
      const shape = isEmbedding(entry) ? embedding : generating
      for (const { instancePath, message } of shape.Errors(entry))
        faults.push(`${name}${instancePath}: ${message}`)
    }
  }
  if (faults.length > 0) throw new Error(`price catalogue:\n${faults.join('\n')}`)
  return catalogue
}

/**
 * The catalogue with an operator's models laid over it. An override replaces the model of the same provider;
 * one that another provider already lists under that name is reachable as `provider/model`.
 */
export function overrideCatalogue(
  catalogue: ReadonlyMap<string, CatalogueModel>,
  overrides: readonly CatalogueModel[],
): Map<string, CatalogueModel> {
  const merged = new Map(catalogue)
  for (const override of overrides) {
    const taken = merged.get(override.model)
    const ours = taken === undefined || taken.provider === override.provider
    merged.set(ours ? override.model : `${override.provider}/${override.model}`, override)
  }
  return merged
}

function toModel(entry: Entry): CatalogueModel {
  const { model, provider, mode, maxInputTokens } = entry
  const maxOutputTokens = entry.mode === 'embedding' ? null : entry.maxOutputTokens
  return { model, provider, mode, price: priceFromUsd(entry), maxInputTokens, maxOutputTokens }
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !('model' in entry)) return undefined
  return typeof entry.model === 'string' ? entry.model : undefined
}

function isEmbedding(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'mode' in entry && entry.mode === 'embedding'
}
