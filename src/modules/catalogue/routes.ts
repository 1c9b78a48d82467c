import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { notFound } from '../../errors.js'
import { type App, type Cursors, Page, principalOf, readPage } from '../../http/index.js'
import { deletePrice, requireKnownProvider, setPrice } from './manage.js'
import { ByModel, CatalogueModel, CatalogueQuery, SetPrice } from './schema.js'

/** What a tenant can call, on this replica. */
export interface CatalogueReader {
  /** Every model, each once. */
  models(tenantId: string): Promise<readonly CatalogueModel[]>
  /** Names of the providers that a tenant has or may use. */
  providers(tenantId: string): Promise<readonly string[]>
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  forget(tenantId: string): void
}

export interface CatalogueRoutesOptions {
  db: Db
  cursors: Cursors
  catalogue: CatalogueReader
  now(): Date
}

const tags = ['Catalogue']
const keyOf = ({ provider, model }: CatalogueModel) => `${provider}/${model}`

export function registerCatalogueRoutes(app: App, options: CatalogueRoutesOptions): void {
  const { db, cursors, catalogue, now } = options

  app.get(
    '/v1/catalogue',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        operationId: 'listCatalogue',
        summary: 'List models with their prices',
        description:
          'Every model that can be called, by provider and name, at what the tenant is charged. What a key may use of them is in `GET /v1/models`.',
        querystring: CatalogueQuery,
        response: { 200: Page(CatalogueModel, 'CataloguePage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const { provider, q } = request.query
      const text = q?.toLowerCase()
      const models = (await catalogue.models(tenantId))
        .filter((each) => provider === undefined || each.provider === provider)
        .filter((each) => text === undefined || each.names.some((name) => name.toLowerCase().includes(text)))
        .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      return await readPage({
        query: request.query,
        scope: `catalogue ${tenantId} ${JSON.stringify([provider, q])}`,
        cursors,
        fetch: async ({ after, limit }) =>
          models.filter((each) => after === null || keyOf(each) > after).slice(0, limit),
        position: keyOf,
        present: (each) => each,
      })
    },
  )

  app.put(
    '/v1/catalogue/:provider/*',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'setModelPrice',
        summary: 'Set a price of the tenant’s own',
        description:
          'For a model of a provider of the tenant or of the configuration, also one that no catalogue knows. It acts for this tenant alone, under every name of the model, from `effectiveFrom` on; the receipts of calls name the price that they used. A price that comes later leaves the one in force as it is until then.',
        params: ByModel,
        body: SetPrice,
        response: { 200: CatalogueModel },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const { provider, '*': model } = request.params
      requireKnownProvider(await catalogue.providers(tenantId), provider)
      await setPrice(db, principal, { provider, model }, request.body, now())
      catalogue.forget(tenantId)
      const found = (await catalogue.models(tenantId)).find(
        (each) => each.provider === provider && each.model === model,
      )
      if (!found) throw notFound('model')
      return found
    },
  )

  app.delete(
    '/v1/catalogue/:provider/*',
    {
      config: { access: 'manager' },
      schema: {
        tags,
        operationId: 'deleteModelPrice',
        summary: 'Delete a price of the tenant’s own',
        description:
          'Also one that was to come. The model has the price again that it has otherwise; without one, it cannot be called. Deleting again is fine.',
        params: ByModel,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { provider, '*': model } = request.params
      await deletePrice(db, principal, { provider, model })
      catalogue.forget(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
