import { type Static, Type } from 'typebox'
import { DateTime, Nullable, SearchText, strict } from '../../http/index.js'
import { modelSettings, PriceSchema } from '../../shared/price-schema.js'

const Limit = (description: string) => Nullable(Type.Integer({ minimum: 0 }), description)

const Price = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      'Prices in USD: per million tokens by kind (`inputUsdPerMTok`, `outputUsdPerMTok`, `cacheReadUsdPerMTok`, …), and per image or tool use (`feesUsd`). Tiers and long inputs can have their own prices',
  },
)

export const CatalogueModel = Type.Object(
  {
    provider: Type.String(),
    model: Type.String({ description: 'The name of the model at the provider' }),
    names: Type.Array(Type.String(), { description: 'Every name that a call can send as `model`' }),
    mode: Nullable(Type.String(), 'The kind of model, such as `chat` or `embedding`. Null if it is unknown'),
    price: Nullable(Price, 'The price in force. Null if the first price of the model is not yet in force'),
    limits: Type.Object({
      contextWindow: Limit('The maximum number of input tokens. Null if it is unknown'),
      maxOutputTokens: Limit('The maximum number of output tokens. Null if it is unknown'),
    }),
    capabilities: Type.Object({
      endpoints: Type.Array(Type.String(), { description: 'The endpoints that the provider supports' }),
      images: Type.Boolean({
        description: 'True if images can be sent, because this service can count their tokens',
      }),
      audio: Type.Boolean({
        description: 'True if audio can be sent, because this service can count its tokens',
      }),
      reasoning: Type.Boolean({
        description:
          'True if the model can produce tokens that the caller does not see, or if this is unknown',
      }),
    }),
    source: Type.Enum(['catalogue', 'file', 'config', 'tenant'], {
      description:
        'The source of the price: the catalogue that ships with the service, the operator’s price file or configuration, or the tenant',
    }),
    effectiveFrom: Nullable(
      DateTime,
      'When the tenant’s own price came into force. Null for any other price',
    ),
    upcoming: Nullable(
      Type.Object({ price: Price, effectiveFrom: DateTime }),
      'The tenant’s own price that comes into force later. Null without one',
    ),
  },
  {
    title: 'CatalogueModel',
    examples: [
      {
        provider: 'openai',
        model: 'gpt-4o',
        names: ['openai/gpt-4o', 'gpt-4o'],
        mode: 'chat',
        price: { inputUsdPerMTok: 2.5, outputUsdPerMTok: 10, cacheReadUsdPerMTok: 1.25 },
        limits: { contextWindow: 128_000, maxOutputTokens: 16_384 },
        capabilities: { endpoints: ['chat', 'responses'], images: true, audio: false, reasoning: false },
        source: 'catalogue' as const,
        effectiveFrom: null,
        upcoming: null,
      },
    ],
  },
)
export type CatalogueModel = Static<typeof CatalogueModel>

export const CatalogueFilters = {
  provider: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Return only models of this provider' }),
  ),
  q: SearchText('one of their names'),
}

export const ByModel = Type.Object({
  provider: Type.String({ minLength: 1, maxLength: 64 }),
  '*': Type.String({ pattern: '^\\S{1,200}$', 'x-name': 'model' }),
})

export const SetPrice = Type.Object(
  {
    price: Type.Union([Type.Literal('free'), PriceSchema], {
      description:
        'The price that the tenant is charged. Tiers and fees that it does not include keep the price that applies otherwise',
    }),
    mode: Type.Optional({
      ...modelSettings.mode,
      description:
        'The kind of model, if no catalogue contains it. It decides which endpoints the price applies to',
    }),
    contextWindow: Type.Optional({
      ...modelSettings.contextWindow,
      description: 'The maximum number of input tokens',
    }),
    maxOutputTokens: Type.Optional(modelSettings.maxOutputTokens),
    outputField: Type.Optional({
      ...modelSettings.outputField,
      description: 'The field of a chat request that contains the maximum number of output tokens',
    }),
    tokenizer: Type.Optional({
      ...modelSettings.tokenizer,
      description: 'How tokens are counted. `bytes` counts every byte as one token, which is an upper bound',
    }),
    effectiveFrom: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When the price comes into force. A time in the past means at once. The cost of earlier calls does not change',
      }),
    ),
  },
  {
    ...strict,
    title: 'SetModelPrice',
    examples: [{ price: { inputUsdPerMTok: 2, outputUsdPerMTok: 8 }, contextWindow: 128_000 }],
  },
)
export type SetPrice = Static<typeof SetPrice>
