import { Type } from 'typebox'
import { ApiError, unauthorized } from '../errors.js'
import { type App, DateTime, type Principal, principalOf, userSuspended } from '../http/index.js'
import { scopeIdsOf } from '../modules/keys/index.js'
import { blocksModel } from '../modules/policies/index.js'
import type { Target } from '../providers/index.js'
import { mayUse } from './attempt/guard.js'
import type { GatewayParts } from './pipeline.js'

const Model = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('model'),
    type: Type.Literal('model'),
    display_name: Type.String(),
    created: Type.Integer(),
    created_at: DateTime,
    owned_by: Type.String(),
  },
  {
    title: 'Model',
    examples: [
      {
        id: 'gpt-4o',
        object: 'model',
        type: 'model',
        display_name: 'gpt-4o',
        created: 0,
        created_at: '1970-01-01T00:00:00Z',
        owned_by: 'openai',
      },
    ],
  },
)

// The date is not known for every model, and client libraries want one.
const epoch = { created: 0, created_at: '1970-01-01T00:00:00Z' }

/** One shape that satisfies the clients of every dialect. */
const present = ({ name, provider }: Target) => ({
  id: name,
  object: 'model' as const,
  type: 'model' as const,
  display_name: name,
  owned_by: provider.name,
  ...epoch,
})

export function registerModelRoutes(
  app: App,
  {
    directories,
    policySets,
    entitlementsOf,
  }: Pick<GatewayParts, 'directories' | 'policySets' | 'entitlementsOf'>,
): void {
  const tags = ['Gateway']

  async function usableBy(principal: Principal): Promise<Target[]> {
    if (principal.suspended) throw userSuspended()
    const entitlements = await entitlementsOf(principal)
    if (entitlements === null) throw unauthorized()
    const policySet = await policySets.current(principal.tenantId)
    const { input } = policySet.selectFor(scopeIdsOf(entitlements))
    const models = await directories.for(principal.tenantId)
    return models.list().filter((target) => mayUse(target, entitlements) && !blocksModel(input, target.names))
  }

  app.get(
    '/v1/models',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listModels',
        summary: 'List the models this key may use',
        response: {
          200: Type.Object(
            {
              object: Type.Literal('list'),
              data: Type.Array(Model),
              has_more: Type.Boolean(),
              first_id: Type.Union([Type.String(), Type.Null()]),
              last_id: Type.Union([Type.String(), Type.Null()]),
            },
            { title: 'ModelList' },
          ),
        },
      },
    },
    async (request) => {
      const data = (await usableBy(principalOf(request))).map(present)
      return {
        object: 'list' as const,
        data,
        has_more: false,
        first_id: data.at(0)?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
      }
    },
  )

  app.get(
    '/v1/models/*',
    {
      config: { access: 'member', errors: ['model_not_found'] },
      schema: {
        tags,
        operationId: 'getModel',
        summary: 'Read one model',
        params: Type.Object({ '*': Type.String() }),
        response: { 200: Model },
      },
    },
    async (request) => {
      const name = request.params['*']
      const target = (await usableBy(principalOf(request))).find((each) => each.name === name)
      if (!target) throw new ApiError('model_not_found', `There is no model ${name} that this key may use`)
      return present(target)
    },
  )
}
