import { defineResource, each, type ManagementApi } from '../../http/index.js'
import { deletePrice, requireKnownProvider, setPrice } from './manage.js'
import { ByModel, CatalogueFilters, CatalogueModel, SetPrice } from './schema.js'

/** The models that a tenant can call, on this replica. */
export interface CatalogueReader {
  /** Returns every model once. */
  models(tenantId: string): Promise<readonly CatalogueModel[]>
  /** Returns the names of the providers that a tenant has or may use. */
  providers(tenantId: string): Promise<readonly string[]>
  /** Called after a change is committed, so that this replica applies it before it answers. */
  forget(tenantId: string): void
}

export interface CatalogueRoutesOptions {
  catalogue: CatalogueReader
  now(): Date
}

const keyOf = ({ provider, model }: Pick<CatalogueModel, 'provider' | 'model'>) => `${provider}/${model}`

export function registerCatalogueRoutes(api: ManagementApi, options: CatalogueRoutesOptions): void {
  const { db } = api
  const { catalogue, now } = options
  defineResource(api, {
    path: '/v1/catalogue',
    params: ByModel,
    tag: 'Catalogue',
    one: 'a model',
    many: 'models',
    item: CatalogueModel,
    present: each((model: CatalogueModel) => model),
    async find({ tenantId, params: { provider, '*': model } }) {
      const models = await catalogue.models(tenantId)
      return models.find((each) => each.provider === provider && each.model === model)
    },
    onChange: catalogue.forget,
    list: {
      operationId: 'listCatalogue',
      summary: 'List models with their prices',
      description:
        'Every model that can be called, by provider and name, at what the tenant is charged. What a key may use of them is in `GET /v1/models`.',
      title: 'CataloguePage',
      filters: CatalogueFilters,
      async rows({ tenantId, filter: { provider, q, after, limit } }) {
        const text = q?.toLowerCase() ?? ''
        return (await catalogue.models(tenantId))
          .filter((each) => provider === null || each.provider === provider)
          .filter((each) => each.names.some((name) => name.toLowerCase().includes(text)))
          .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
          .filter((each) => after === null || keyOf(each) > after)
          .slice(0, limit)
      },
      position: keyOf,
    },
    update: {
      method: 'PUT',
      operationId: 'setModelPrice',
      summary: 'Set a price of the tenant’s own',
      description:
        'For a model of a provider of the tenant or of the configuration, also one that no catalogue knows. It acts for this tenant alone, under every name of the model, from `effectiveFrom` on; the receipts of calls name the price that they used. A price that comes later leaves the one in force as it is until then.',
      errors: ['not_found', 'conflict'],
      body: SetPrice,
      async run({ principal, tenantId, params: { provider, '*': model }, body }) {
        requireKnownProvider(await catalogue.providers(tenantId), provider)
        await setPrice(db, principal, { provider, model }, body, now())
      },
    },
    remove: {
      operationId: 'deleteModelPrice',
      summary: 'Delete a price of the tenant’s own',
      description:
        'Also one that was to come. The model has the price again that it has otherwise; without one, it cannot be called. Deleting again is fine.',
      errors: [],
      run: ({ principal, params: { provider, '*': model } }) =>
        deletePrice(db, principal, { provider, model }),
    },
  })
}
