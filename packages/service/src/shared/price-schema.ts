import { type Static, Type } from 'typebox'

// The settings of models, in the configuration and in the API.

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
/** The rates for a whole call, including its output, whose input is longer than `aboveInputTokens`. */
const LongerSchema = Type.Array(
  Type.Object({ aboveInputTokens: Type.Integer({ minimum: 1 }), ...rates }, strict),
)

/** A tier with its own rates, a factor on all rates, or both. `findPriceFaults` checks that it has one of them. */
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
    // The name of a tier has no plus, which joins several tiers.
    tiers: Type.Optional(Type.Record(Type.String({ pattern: '^[^+]+$' }), TierSchema, strict)),
    /** The fee for each use of a hosted tool, by the name of the tool. */
    feesUsd: Type.Optional(Type.Record(Type.String({ minLength: 1 }), Usd)),
  },
  strict,
)
export type PriceSettings = Static<typeof PriceSchema>

const tokens = { minimum: 1, maximum: 1_000_000_000 }

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

/** The price and the properties of a model. */
export const modelSettings = {
  mode: Type.Enum([...modes], { description: 'Kind of model, if the catalogue does not have it' }),
  price: Type.Union([Type.Literal('free'), PriceSchema], {
    description: '`free`, or a price',
  }),
  contextWindow: Type.Integer({
    ...tokens,
    description: 'Bounds a call whose input is stored at the provider',
  }),
  maxOutputTokens: Type.Integer({ ...tokens, description: 'Maximum output of the model' }),
  outputField: Type.Enum(['max_tokens', 'max_completion_tokens'], {
    description: 'Field of a chat request for the maximum output',
  }),
  tokenizer: Type.Enum(['o200k', 'cl100k', 'claude', 'bytes'], {
    description: 'How input is counted. `bytes`: a token per byte, where the tokenizer is unknown',
  }),
}

export interface ModelSettings {
  price: 'free' | PriceSettings
  mode?: (typeof modes)[number]
  contextWindow?: number
  maxOutputTokens?: number
  outputField?: 'max_tokens' | 'max_completion_tokens'
  tokenizer?: 'o200k' | 'cl100k' | 'claude' | 'bytes'
}

export interface PriceFault {
  /** The path within the price, such as `tiers.batch.factor`. */
  path: string
  message: string
}

/** Finds the faults that the schema cannot express. */
export function findPriceFaults(price: PriceSettings): PriceFault[] {
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

/** Amounts per million tokens have at most six decimals and other amounts twelve, so that none has fractions of a picodollar. */
function checkAmounts(amounts: Record<string, unknown>, prefix: string, faults: PriceFault[]): void {
  for (const [field, value] of Object.entries(amounts)) {
    const path = `${prefix}${field}`
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

function checkThresholds(longer: PriceSettings['longer'], path: string, faults: PriceFault[]): void {
  for (const [index, { aboveInputTokens }] of (longer ?? []).entries()) {
    if (aboveInputTokens <= (longer?.[index - 1]?.aboveInputTokens ?? 0))
      faults.push({ path: `${path}.${index}.aboveInputTokens`, message: 'must be above the one before' })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
