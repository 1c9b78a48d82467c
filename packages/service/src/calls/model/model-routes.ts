import { Type } from 'typebox'
import { type App, type Principal, principalOf, userSuspended } from '../../http/index.js'
import { blocksModel } from '../../policies/index.js'
import type { Target } from '../../providers/index.js'
import { scopeIdsOf } from '../../resources/keys/index.js'
import { ApiError, unauthorized } from '../../shared/errors.js'
import type { ModelParts } from './kind.js'
import {
  AnthropicModel,
  AnthropicModelList,
  asksForAnthropic,
  type ListedModel,
  Model,
  ModelList,
  presentAnthropicModel,
  presentAnthropicPage,
  presentModel,
} from './model-lists.js'
import { isModelAllowed } from './plan/model-allowlists.js'
import { nearestNames } from './plan/nearest-names.js'
import { servedEndpoints } from './plan/served-endpoints.js'
import { withSuggestions } from './plan/suggest-models.js'

const PageOfModels = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 })),
  after_id: Type.Optional(Type.String({ description: 'Return the models after this one' })),
  before_id: Type.Optional(Type.String({ description: 'Return the models before this one' })),
})

export function registerModelRoutes(
  app: App,
  {
    directories,
    routes,
    policySets,
    entitlementsOf,
    tokens,
  }: Pick<ModelParts, 'directories' | 'routes' | 'policySets' | 'entitlementsOf' | 'tokens'>,
): void {
  const tags = ['Gateway']

  async function listUsableModels(principal: Principal): Promise<ListedModel[]> {
    if (principal.suspended) throw userSuspended()
    const entitlements = await entitlementsOf(principal)
    if (entitlements === null) throw unauthorized()
    const policySet = await policySets.current(principal.tenantId)
    const { input } = policySet.selectFor(scopeIdsOf(entitlements))
    const models = await directories.for(principal.tenantId)
    const isUsable = (target: Target) =>
      isModelAllowed(target, entitlements) && !blocksModel(input, target.names)
    const listed = new Map(
      models
        .list()
        .filter(isUsable)
        .map((target): [string, ListedModel] => {
          const served = servedEndpoints([{ target, dialect: null }], tokens)
          return [target.name, { name: target.name, owner: target.provider.name, endpoints: served }]
        }),
    )
    // A route takes precedence over a model of the same name, and is listed only if the key may use one of its targets.
    for (const { name, targets } of await routes.list(principal.tenantId)) {
      const usable = targets.flatMap(({ model, dialect }) => {
        const target = models.find(model)
        return 'missing' in target || !isUsable(target) ? [] : [{ target, dialect: dialect ?? null }]
      })
      if (usable.length > 0)
        listed.set(name, { name, owner: 'route', endpoints: servedEndpoints(usable, tokens) })
      else listed.delete(name)
    }
    return [...listed.values()]
  }

  app.get(
    '/v1/models',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listModels',
        summary: 'List the models this key may use',
        description:
          'Lists the models that the key may use, and the routes with at least one such model (`owned_by: route`), each with the endpoints that it serves. Requests with `anthropic-version` or with the key as `x-api-key` get pages in the format of Anthropic. All others get the complete list in the format of OpenAI.',
        querystring: PageOfModels,
        response: { 200: Type.Union([ModelList, AnthropicModelList]) },
      },
    },
    async (request) => {
      const listed = await listUsableModels(principalOf(request))
      return asksForAnthropic(request.headers)
        ? presentAnthropicPage(listed, request.query)
        : { object: 'list' as const, data: listed.map(presentModel) }
    },
  )

  app.get(
    '/v1/models/*',
    {
      config: { access: 'member', errors: ['model_not_found'] },
      schema: {
        tags,
        operationId: 'getModel',
        summary: 'Get a model',
        params: Type.Object({ '*': Type.String() }),
        response: { 200: Type.Union([Model, AnthropicModel]) },
      },
    },
    async (request) => {
      const name = request.params['*']
      const listed = await listUsableModels(principalOf(request))
      const model = listed.find((each) => each.name === name)
      if (!model) {
        const names = listed.map((each) => each.name)
        const missing = `There is no model ${name} that this key may use`
        throw new ApiError(
          'model_not_found',
          withSuggestions(
            missing,
            nearestNames(name, names, () => true),
          ),
        )
      }
      return asksForAnthropic(request.headers) ? presentAnthropicModel(model) : presentModel(model)
    },
  )
}
