import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { DateTime } from '../../http/index.js'
import { invalidField, invalidRequest } from '../../shared/errors.js'

// Lists of models, in the format of the client. OpenAI's clients expect one list. Anthropic's expect pages that continue after the
// id of a model: https://docs.anthropic.com/en/api/models-list

/** A constant, because client libraries require a date and it is not known for every model. */
const created = 0
const createdAt = '1970-01-01T00:00:00Z'

export const Model = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('model'),
    created: Type.Integer(),
    owned_by: Type.String(),
    endpoints: Type.Array(Type.String(), { description: 'The paths at which the model can be called' }),
  },
  {
    title: 'Model',
    examples: [
      {
        id: 'gpt-4o',
        object: 'model',
        created,
        owned_by: 'openai',
        endpoints: ['/v1/chat/completions', '/v1/responses'],
      },
    ],
  },
)

export const ModelList = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(Model) },
  { title: 'ModelList', description: 'The list in the format of OpenAI' },
)

export const AnthropicModel = Type.Object(
  {
    id: Type.String(),
    type: Type.Literal('model'),
    display_name: Type.String(),
    created_at: DateTime,
  },
  {
    title: 'AnthropicModel',
    examples: [
      {
        id: 'claude-sonnet-4-6',
        type: 'model',
        display_name: 'claude-sonnet-4-6',
        created_at: createdAt,
      },
    ],
  },
)

const ModelId = Type.Union([Type.String(), Type.Null()])

export const AnthropicModelList = Type.Object(
  { data: Type.Array(AnthropicModel), has_more: Type.Boolean(), first_id: ModelId, last_id: ModelId },
  {
    title: 'AnthropicModelList',
    description:
      'The list in the format of Anthropic, for requests with `anthropic-version` or with the key as `x-api-key`',
  },
)

/** True for Anthropic's clients, which send `anthropic-version`, or only `x-api-key`. */
export const asksForAnthropic = (headers: IncomingHttpHeaders): boolean =>
  headers['anthropic-version'] !== undefined ||
  (headers['x-api-key'] !== undefined && headers.authorization === undefined)

/** A model or a route. */
export interface ListedModel {
  name: string
  owner: string
  /** The paths of the endpoints that it serves. */
  endpoints: string[]
}

export const presentModel = ({ name, owner, endpoints }: ListedModel) => ({
  id: name,
  object: 'model' as const,
  created,
  owned_by: owner,
  endpoints,
})

export const presentAnthropicModel = ({ name }: ListedModel) => ({
  id: name,
  type: 'model' as const,
  display_name: name,
  created_at: createdAt,
})

/** Anthropic's maximum. Its default is 20, but clients that request no page expect the whole list. */
const maxPage = 1_000

export interface PageQuery {
  limit?: unknown
  after_id?: unknown
  before_id?: unknown
}

/** Returns the page after or before a model. `has_more` is true when there are more in that direction. */
export function presentAnthropicPage(models: readonly ListedModel[], query: PageQuery) {
  const { after_id: after, before_id: before } = query
  const limit = readLimit(query.limit)
  if (after !== undefined && before !== undefined)
    throw invalidRequest('Give after_id or before_id, not both')
  const from = after === undefined ? 0 : indexOfModel(models, 'after_id', after) + 1
  const to = before === undefined ? models.length : indexOfModel(models, 'before_id', before)
  const rest = models.slice(from, to)
  const page = before === undefined ? rest.slice(0, limit) : rest.slice(-limit)
  const data = page.map(presentAnthropicModel)
  return {
    data,
    has_more: page.length < rest.length,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

function readLimit(value: unknown): number {
  if (value === undefined) return maxPage
  const limit = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (limit < 1 || limit > maxPage) throw invalidField('limit', `must be a whole number from 1 to ${maxPage}`)
  return limit
}

function indexOfModel(models: readonly ListedModel[], field: string, id: unknown): number {
  const index = models.findIndex(({ name }) => name === id)
  if (index === -1) throw invalidField(field, 'must be the id of a model in the list')
  return index
}
