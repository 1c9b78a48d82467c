import { type Static, Type } from 'typebox'

const UsdPerMTok = Type.Number({ minimum: 0, maximum: 1_000_000 })
const Milliseconds = Type.Integer({ minimum: 1, maximum: 86_400_000 })
const strict = { additionalProperties: false }

const TimeoutsSchema = Type.Object(
  {
    connectMs: Type.Optional(Milliseconds),
    firstByteMs: Type.Optional(Milliseconds),
    idleMs: Type.Optional(Milliseconds),
    totalMs: Type.Optional(Milliseconds),
  },
  strict,
)

const PriceSchema = Type.Object(
  {
    inputUsdPerMTok: UsdPerMTok,
    outputUsdPerMTok: UsdPerMTok,
    cacheReadUsdPerMTok: Type.Optional(UsdPerMTok),
    cacheWriteUsdPerMTok: Type.Optional(UsdPerMTok),
  },
  strict,
)

const ModelSchema = Type.Object(
  {
    provider: Type.String({ minLength: 1 }),
    /** The provider's own name of the model; the key of the entry when left out. */
    model: Type.Optional(Type.String({ minLength: 1 })),
    price: Type.Optional(Type.Union([Type.Literal('free'), PriceSchema])),
    maxInputTokens: Type.Optional(Type.Integer({ minimum: 1 })),
    maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
)

const ProviderSchema = Type.Object(
  {
    type: Type.Union([Type.Literal('openai'), Type.Literal('anthropic')]),
    baseUrl: Type.Optional(Type.String({ minLength: 1 })),
    apiKey: Type.Optional(Type.String()),
    /** Which endpoints the provider answers, where it differs from what its type usually does. */
    dialects: Type.Optional(
      Type.Array(
        Type.Union([
          Type.Literal('chat'), Type.Literal('responses'), Type.Literal('embeddings'), Type.Literal('messages'),
        ]),
        { minItems: 1 },
      ),
    ),
    /** Whose list prices apply: a provider of the catalogue; the entry's own name when left out. */
    pricesOf: Type.Optional(Type.String({ minLength: 1 })),
    timeouts: Type.Optional(TimeoutsSchema),
  },
  strict,
)

const ProviderName = '^[a-z0-9][a-z0-9_-]{0,63}$'

export const ConfigFileSchema = Type.Object(
  {
    providers: Type.Optional(Type.Record(Type.String({ pattern: ProviderName }), ProviderSchema, strict)),
    models: Type.Optional(Type.Record(Type.String({ minLength: 1, maxLength: 200 }), ModelSchema)),
    pricesFile: Type.Optional(Type.String({ minLength: 1 })),
  },
  strict,
)

export type ConfigFile = Static<typeof ConfigFileSchema>
export type ModelConfig = Static<typeof ModelSchema>
export type ModelPrice = Static<typeof PriceSchema>
export type ProviderFileConfig = Static<typeof ProviderSchema>
