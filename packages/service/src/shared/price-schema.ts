import { type Static, Type } from 'typebox'

// What people may set of a model: in the configuration, and by the API.

const UsdPerMTok = Type.Number({ minimum: 0, maximum: 1_000_000 })
const Usd = Type.Number({ minimum: 0, maximum: 1_000 })
const strict = { additionalProperties: false }

const rates = {
  inputUsdPerMTok: UsdPerMTok,
  outputUsdPerMTok: UsdPerMTok,
  cacheReadUsdPerMTok: Type.Optional(UsdPerMTok),
  cacheWriteUsdPerMTok: Type.Optional(UsdPerMTok),
  cacheWriteHourUsdPerMTok: Type.Optional(UsdPerMTok),
  audioInputUsdPerMTok: Type.Optional(UsdPerMTok),
  audioOutputUsdPerMTok: Type.Optional(UsdPerMTok),
  imageUsd: Type.Optional(Usd),
}
/** Rates of the whole call, output included, once its input is longer than this. */
const LongerSchema = Type.Array(
  Type.Object({ aboveInputTokens: Type.Integer({ minimum: 1 }), ...rates }, strict),
)

/** Rates of its own, or a factor on all rates, or both: `findPriceFaults` checks that it is one of them. */
const TierSchema = Type.Object(
  {
    ...Type.Partial(Type.Object(rates)).properties,
    longer: Type.Optional(LongerSchema),
    factor: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 })),
  },
  strict,
)

export const PriceSchema = Type.Object(
  {
    ...rates,
    longer: Type.Optional(LongerSchema),
    // A plus joins several tiers.
    tiers: Type.Optional(Type.Record(Type.String({ pattern: '^[^+]+$' }), TierSchema, strict)),
    /** For each use of a hosted tool, by its name. */
    feesUsd: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Usd)),
  },
  strict,
)
export type PriceTerms = Static<typeof PriceSchema>

const TokenLimit = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

const modes = [
  'chat',
  'responses',
  'completion',
  'embedding',
  'moderation',
  'image',
  'speech',
  'transcription',
  'rerank',
] as const

/** What a model is charged at, and what is known of it. */
export const modelTerms = {
  /** What it does, where the catalogue does not say: decides which endpoints have a price for it. */
  mode: Type.Enum([...modes]),
  price: Type.Union([Type.Literal('free'), PriceSchema]),
  contextWindow: TokenLimit,
  maxOutputTokens: TokenLimit,
  /** The field of a chat request that the maximum output goes into. */
  outputField: Type.Enum(['max_tokens', 'max_completion_tokens']),
  tokenizer: Type.Enum(['o200k', 'cl100k', 'claude', 'bytes']),
}

export interface ModelTerms {
  price: 'free' | PriceTerms
  mode?: (typeof modes)[number]
  contextWindow?: number
  maxOutputTokens?: number
  outputField?: 'max_tokens' | 'max_completion_tokens'
  tokenizer?: 'o200k' | 'cl100k' | 'claude' | 'bytes'
}

export interface PriceFault {
  /** Within the price: `tiers.batch.factor`. */
  path: string
  message: string
}

/** What the schema cannot say. */
export function findPriceFaults(price: PriceTerms): PriceFault[] {
  const faults: PriceFault[] = []
  checkAmounts({ ...price }, '', faults)
  checkThresholds(price.longer, 'longer', faults)
  for (const [tier, { factor, inputUsdPerMTok, outputUsdPerMTok, ...rest }] of Object.entries(
    price.tiers ?? {},
  )) {
    const path = `tiers.${tier}`
    checkThresholds(rest.longer, `${path}.longer`, faults)
    const hasRates = inputUsdPerMTok !== undefined && outputUsdPerMTok !== undefined
    const hasSome = [inputUsdPerMTok, outputUsdPerMTok, ...Object.values(rest)].some(
      (rate) => rate !== undefined,
    )
    if (hasSome ? !hasRates : factor === undefined)
      faults.push({ path, message: 'must have a factor, or inputUsdPerMTok and outputUsdPerMTok' })
  }
  return faults
}

/** Six decimals per million tokens, or twelve for one use, are a whole number of picodollars; a finer price would be rounded. */
function checkAmounts(amounts: Record<string, unknown>, place: string, faults: PriceFault[]): void {
  for (const [field, value] of Object.entries(amounts)) {
    const path = `${place}${field}`
    const decimals = decimalsOf(field)
    if (Array.isArray(value)) checkAmounts({ ...value }, `${path}.`, faults)
    else if (isObject(value)) checkAmounts(value, `${path}.`, faults)
    else if (typeof value === 'number' && Number(value.toFixed(decimals)) !== value)
      faults.push({ path, message: `at most ${decimals} decimal places, not ${value}` })
  }
}

function decimalsOf(field: string): number {
  if (field.endsWith('PerMTok')) return 6
  return field === 'factor' ? 3 : 12
}

function checkThresholds(longer: PriceTerms['longer'], place: string, faults: PriceFault[]): void {
  for (const [index, { aboveInputTokens }] of (longer ?? []).entries()) {
    if (aboveInputTokens <= (longer?.[index - 1]?.aboveInputTokens ?? 0))
      faults.push({ path: `${place}.${index}.aboveInputTokens`, message: 'must be above the one before' })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
