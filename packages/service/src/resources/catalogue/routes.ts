import { defineResource, type ManagementApi, presentEach } from '../../http/index.js'
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
    present: presentEach((model: CatalogueModel) => model),
    async find({ tenantId, params: { provider, '*': model } }) {
      const models = await catalogue.models(tenantId)
      return models.find((each) => each.provider === provider && each.model === model)
    },
    onChange: catalogue.forget,
    list: {
      operationId: 'listCatalogue',
      summary: 'List models with their prices',
      description:
        'Lists every model that can be called, by provider and name, with the prices that the tenant is charged. `GET /v1/models` lists the models that a key may use.',
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
      summary: 'Set the tenant’s own price of a model',
      description:
        'Sets a price that applies only to this tenant, for a model of a provider of the tenant or of the configuration. The model need not be in a catalogue. The price applies to every name of the model, starting at `effectiveFrom`, and receipts name the price that they used. A price with a later start leaves the current price in force until then.',
      errors: ['not_found', 'conflict'],
      body: SetPrice,
      async run({ principal, tenantId, params: { provider, '*': model }, body }) {
        requireKnownProvider(await catalogue.providers(tenantId), provider)
        await setPrice(db, principal, { provider, model }, body, now())
      },
    },
    remove: {
      operationId: 'deleteModelPrice',
      summary: 'Delete the tenant’s own price of a model',
      description:
        'Deletes the tenant’s own price of a model, including one that is not yet in force. The price that applies otherwise is in force again. Without one, the model cannot be called. The request also succeeds if there is no such price.',
      errors: [],
      run: ({ principal, params: { provider, '*': model } }) =>
        deletePrice(db, principal, { provider, model }),
    },
  })
}
