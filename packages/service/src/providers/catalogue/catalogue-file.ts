import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'

// A price of zero is refused: a model without a price must not be free by accident.
const UsdPerMTok = Type.Number({ exclusiveMinimum: 0 })
const Usd = Type.Number({ minimum: 0 })
const Tokens = Type.Integer({ minimum: 1 })
const Name = Type.String({ minLength: 1 })
const closed = { additionalProperties: false }

/** Where a figure was found, and when. */
const sourced = {
  source: Type.String({ pattern: '^https://' }),
  asOf: Type.String({ pattern: '^20\\d\\d-[01]\\d$' }),
}

const inputRates = {
  inputUsdPerMTok: UsdPerMTok,
  cacheReadUsdPerMTok: Type.Optional(UsdPerMTok),
  cacheWriteUsdPerMTok: Type.Optional(UsdPerMTok),
  cacheWriteHourUsdPerMTok: Type.Optional(UsdPerMTok),
  audioInputUsdPerMTok: Type.Optional(UsdPerMTok),
}
const rates = {
  ...inputRates,
  outputUsdPerMTok: UsdPerMTok,
  audioOutputUsdPerMTok: Type.Optional(UsdPerMTok),
  imageUsd: Type.Optional(UsdPerMTok),
}
const Longer = Type.Array(Type.Object({ aboveInputTokens: Tokens, ...rates }, closed), { minItems: 1 })

const FactorTier = Type.Object({ factor: Type.Number({ exclusiveMinimum: 0 }) }, closed)
const RatesTier = Type.Object({ ...rates, longer: Type.Optional(Longer) }, closed)
const Tiers = Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Union([FactorTier, RatesTier]), closed)

const ImageFormula = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('tiles'),
      base: Tokens,
      perTile: Tokens,
      maxEdge: Tokens,
      shortEdge: Tokens,
    },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal('patches'),
      patchPixels: Tokens,
      permille: Tokens,
      maxPatches: Tokens,
      maxEdge: Type.Optional(Tokens),
    },
    closed,
  ),
  Type.Object({ kind: Type.Literal('fixed'), tokens: Tokens }, closed),
])

const PerTool = Type.Record(Name, Type.Integer({ minimum: 0 }))

/** Every field except `extends` may be inherited from the family that this one extends. */
const Family = Type.Object(
  {
    extends: Type.Optional(Name),
    source: Type.Optional(sourced.source),
    asOf: Type.Optional(sourced.asOf),
    tokenizer: Type.Optional(Type.Enum(['o200k', 'cl100k', 'claude', 'bytes'])),
    outputField: Type.Optional(Type.Enum(['max_tokens', 'max_completion_tokens'])),
    defaultOutputTokens: Type.Optional(Tokens),
    images: Type.Optional(ImageFormula),
    audioTokensPerSecond: Type.Optional(Tokens),
    toolPromptTokens: Type.Optional(Tokens),
    reasons: Type.Optional(Type.Boolean()),
    vendorToolTokens: Type.Optional(Tokens),
    hostedTokens: Type.Optional(PerTool),
    usesPerCall: Type.Optional(PerTool),
    fees: Type.Optional(Type.Array(Name)),
    sameTiers: Type.Optional(Type.Record(Name, Name)),
    batchFactor: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
  },
  closed,
)
export type Family = Static<typeof Family>

const Fees = Type.Object({ ...sourced, usd: Type.Record(Name, Usd) }, closed)

const named = {
  model: Name,
  provider: Name,
  family: Name,
  contextWindow: Tokens,
  source: Type.Optional(sourced.source),
  asOf: Type.Optional(sourced.asOf),
}
const GeneratingModel = Type.Object(
  {
    ...named,
    mode: Type.Enum(['chat', 'responses', 'completion']),
    maxOutputTokens: Tokens,
    separateOutput: Type.Optional(Type.Literal(true)),
    ...rates,
    longer: Type.Optional(Longer),
    tiers: Type.Optional(Tiers),
  },
  closed,
)
const EmbeddingModel = Type.Object(
  { ...named, mode: Type.Literal('embedding'), inputUsdPerMTok: UsdPerMTok },
  closed,
)
/** A model that is billed by images, characters, seconds or searches. */
const UnitModel = Type.Object(
  {
    ...named,
    mode: Type.Enum(['image', 'speech', 'transcription', 'rerank']),
    feesUsd: Type.Record(Name, UsdPerMTok, { minProperties: 1 }),
  },
  closed,
)
/** A model that produces something other than text, but is billed by tokens. */
const TokenModel = Type.Object(
  {
    ...named,
    mode: Type.Enum(['image', 'transcription', 'rerank', 'moderation']),
    ...inputRates,
    outputUsdPerMTok: Type.Optional(UsdPerMTok),
    maxOutputTokens: Type.Optional(Tokens),
    feesUsd: Type.Optional(Type.Record(Name, UsdPerMTok, { minProperties: 1 })),
  },
  closed,
)
/** A free model. The catalogue states this explicitly instead of leaving the price out. */
const FreeModel = Type.Object(
  { ...named, mode: Type.Literal('moderation'), free: Type.Literal(true) },
  closed,
)

const shapes = [GeneratingModel, EmbeddingModel, UnitModel, TokenModel, FreeModel] as const
export type ModelEntry = Static<(typeof shapes)[number]>

const Outline = Type.Object(
  {
    providers: Type.Record(Name, Type.Unknown()),
    fees: Type.Record(Name, Type.Unknown()),
    families: Type.Record(Name, Type.Unknown()),
    models: Type.Array(Type.Unknown()),
  },
  closed,
)

/** The well-formed part of the file: one fault must not hide the next one. */
export interface CatalogueFile {
  providers: Map<string, Static<typeof Source>>
  fees: Map<string, Static<typeof Fees>>
  families: Map<string, Family>
  models: ModelEntry[]
}
const Source = Type.Object(sourced, closed)

interface Shape {
  Errors(value: unknown): { instancePath: string; message: string }[]
}

export function readCatalogueFile(text: string, faults: string[]): CatalogueFile {
  const file: unknown = JSON.parse(text)
  const outline = Compile(Outline)
  const read: CatalogueFile = { providers: new Map(), fees: new Map(), families: new Map(), models: [] }
  if (!outline.Check(file)) {
    faults.push('expected { "providers": {…}, "fees": {…}, "families": {…}, "models": […] }')
    return read
  }

  function readAll<T extends TSchema>(
    part: string,
    entries: Record<string, unknown>,
    schema: T,
  ): Map<string, Static<T>> {
    const shape = Compile(schema)
    const kept = new Map<string, Static<T>>()
    for (const [name, entry] of Object.entries(entries)) {
      if (shape.Check(entry)) kept.set(name, entry)
      else report(`${part}.${name}`, shape, entry)
    }
    return kept
  }
  function report(place: string, shape: Shape, entry: unknown): void {
    for (const { instancePath, message } of shape.Errors(entry))
      faults.push(`${place}${instancePath}: ${message}`)
  }

  read.providers = readAll('providers', file.providers, Source)
  read.fees = readAll('fees', file.fees, Fees)
  read.families = readAll('families', file.families, Family)
  const byShape = {
    generating: Compile(GeneratingModel),
    embedding: Compile(EmbeddingModel),
    units: Compile(UnitModel),
    tokens: Compile(TokenModel),
    free: Compile(FreeModel),
  }
  for (const [index, entry] of file.models.entries()) {
    const shape = byShape[shapeOf(entry)]
    if (shape.Check(entry)) read.models.push(entry)
    else report(nameOf(entry) ?? `entry ${index}`, shape, entry)
  }
  return read
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || !('model' in entry)) return undefined
  return typeof entry.model === 'string' ? entry.model : undefined
}

const otherModes = new Set<unknown>(['image', 'speech', 'transcription', 'rerank', 'moderation'])

function shapeOf(entry: unknown): 'generating' | 'embedding' | 'units' | 'tokens' | 'free' {
  if (typeof entry !== 'object' || entry === null || !('mode' in entry)) return 'generating'
  if (entry.mode === 'embedding') return 'embedding'
  if (!otherModes.has(entry.mode)) return 'generating'
  if ('free' in entry) return 'free'
  return 'inputUsdPerMTok' in entry ? 'tokens' : 'units'
}
