import { type Static, Type } from 'typebox'
import { DateTime, Nullable, SearchText, strict } from '../../http/index.js'
import { modelTerms, PriceSchema } from '../../shared/price-schema.js'

const Limit = (description: string) => Nullable(Type.Integer({ minimum: 0 }), description)

const Price = Type.Object(
  {},
  {
    additionalProperties: true,
    description: `USD per million tokens by kind (\`inputUsdPerMTok\`, \`outputUsdPerMTok\`, \`cacheReadUsdPerMTok\`, …), USD for each image and each use of a tool (\`feesUsd\`), by tier and by length where they differ`,
  },
)

export const CatalogueModel = Type.Object(
  {
    provider: Type.String(),
    model: Type.String({ description: 'The provider’s own name of it' }),
    names: Type.Array(Type.String(), { description: 'Every name that a call may put into `model`' }),
    mode: Nullable(Type.String(), 'What it does: `chat`, `embedding`, …; null when it is not known'),
    price: Nullable(Price, 'What a call is charged at; null for a model whose first price is yet to come'),
    limits: Type.Object({
      contextWindow: Limit('Tokens of input at most; null when it is not known'),
      maxOutputTokens: Limit('Null when it is not known'),
    }),
    capabilities: Type.Object({
      endpoints: Type.Array(Type.String(), { description: 'What its provider answers' }),
      images: Type.Boolean({ description: 'Images can be counted, so they can be sent' }),
      audio: Type.Boolean({ description: 'Audio can be counted, so it can be sent' }),
      reasoning: Type.Boolean({
        description: 'It may produce tokens that the caller does not see; also when that is not known',
      }),
    }),
    source: Type.Enum(['catalogue', 'file', 'config', 'tenant'], {
      description:
        'Who says what it costs: the catalogue that ships with the service, the operator’s price file or configuration, or the tenant',
    }),
    effectiveFrom: Nullable(
      DateTime,
      'Since when a price of the tenant’s own holds; null for any other price',
    ),
    upcoming: Nullable(
      Type.Object({ price: Price, effectiveFrom: DateTime }),
      'A price of the tenant’s own that comes into force later; null without one',
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
  provider: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only its models' })),
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
        'What the tenant is charged. Of tiers and fees that it does not name, those that hold otherwise apply',
    }),
    mode: Type.Optional({
      ...modelTerms.mode,
      description: 'What it does, where no catalogue says: decides which endpoints have a price for it',
    }),
    contextWindow: Type.Optional({ ...modelTerms.contextWindow, description: 'Tokens of input at most' }),
    maxOutputTokens: Type.Optional(modelTerms.maxOutputTokens),
    outputField: Type.Optional({
      ...modelTerms.outputField,
      description: 'The field of a chat request that the maximum output goes into',
    }),
    tokenizer: Type.Optional({
      ...modelTerms.tokenizer,
      description: 'How its tokens are counted; `bytes`: no token is shorter than a byte',
    }),
    effectiveFrom: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When it comes into force. One that has passed means at once: what was called stays as it was priced',
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
