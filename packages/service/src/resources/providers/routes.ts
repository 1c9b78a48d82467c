import { Type } from 'typebox'
import { ById, defineResource, each, type ManagementApi, principalOf } from '../../http/index.js'
import type { Outbound } from '../../outbound/index.js'
import { notFound } from '../../shared/errors.js'
import { requireProvider } from './check.js'
import { createDirectory, type ListedProvider, positionOf } from './directory.js'
import type { LiveProviders } from './live.js'
import {
  changeProvider,
  createProvider,
  deleteProvider,
  type ProviderStore,
  requireFreeName,
  shapeAfter,
  shapeOfNew,
} from './manage.js'
import { addCredential, removeCredential } from './manage-credentials.js'
import {
  CreateCredential,
  CreateProvider,
  Credential,
  Provider,
  ProviderTest,
  UpdateProvider,
} from './schema.js'
import { findProvider } from './store.js'

export interface ProviderRoutesOptions extends Omit<ProviderStore, 'db'> {
  outbound: Outbound
  live: LiveProviders
}

const tag = 'Providers'
const ByBothIds = Type.Object({ id: Type.String({ maxLength: 64 }), cid: Type.String({ maxLength: 64 }) })

export function registerProviderRoutes(api: ManagementApi, options: ProviderRoutesOptions): void {
  const { app, db } = api
  const { secrets, types, live } = options
  const store = { db, secrets, types }

  const { findListed, listListed, requireOwn } = createDirectory(store, live)

  defineResource(api, {
    path: '/v1/providers',
    params: ById,
    tag,
    one: 'a provider',
    many: 'providers',
    item: Provider,
    present: each((listed: ListedProvider) => listed.present()),
    find: ({ tenantId, params }) => findListed(tenantId, params.id),
    onChange: live.forget,
    list: {
      description:
        'Those of the tenant, newest first, then those of the configuration (`source: config`), by name; in a local trial `mock` is one of these.',
      rows: ({ tenantId, filter }) => listListed(tenantId, filter),
      position: positionOf,
    },
    create: {
      description:
        'Its models can be called as `provider/model` on every replica within a second. Values of headers and credentials are stored encrypted and never shown. A base URL that the rules for addresses refuse is a 400 whose message names the rule.',
      errors: ['conflict'],
      body: CreateProvider,
      answer: Provider,
      async run({ principal, tenantId, body }) {
        await requireFreeName(live, tenantId, body.name)
        await requireProvider(shapeOfNew(body), options)
        return (db) => createProvider({ ...store, db }, principal, body)
      },
    },
    read: {
      description:
        'How its credentials do is told as the replica sees it that answers. The id of one of the configuration is `prov_config_` and its name.',
    },
    update: {
      description:
        'Calls under way go on as they began; later ones follow the change, on every replica within a second. `headers`, `timeouts`, `limits` and `options` are replaced as a whole. One of the configuration cannot be changed here: 409.',
      errors: ['not_found', 'conflict'],
      body: UpdateProvider,
      async run({ principal, tenantId, params: { id }, body }) {
        await requireOwn(tenantId, id)
        const stored = await findProvider(db, tenantId, id)
        if (!stored) throw notFound('provider')
        await requireProvider(await shapeAfter(stored, body, secrets), options)
        await changeProvider(store, principal, id, body)
      },
    },
    remove: {
      description:
        'Calls under way end as they would. Its credentials are erased, and so are the tenant’s own prices for it; routes pass it over. Deleting again is fine. One of the configuration cannot be deleted: 409.',
      errors: ['not_found', 'conflict'],
      async run({ principal, tenantId, params: { id } }) {
        await requireOwn(tenantId, id)
        await deleteProvider(store, principal, id)
      },
    },
  })

  defineResource(api, {
    path: '/v1/providers/:id/credentials',
    parent: ById,
    params: ByBothIds,
    tag,
    one: 'a provider credential',
    many: 'provider credentials',
    item: Credential,
    present: each((credential: Credential) => credential),
    onChange: live.forget,
    create: {
      summary: 'Give a provider a credential',
      description:
        'Used beside the others at once, by its weight. To rotate: add the new one, then delete the old one.',
      errors: ['not_found', 'conflict'],
      body: CreateCredential,
      answer: Credential,
      async run({ principal, tenantId, params: { id }, body }) {
        await requireOwn(tenantId, id)
        return (db) => addCredential({ ...store, db }, principal, id, body)
      },
    },
    remove: {
      summary: 'Take a credential from a provider',
      description: 'Its value is erased. Deleting again is fine.',
      errors: ['not_found', 'conflict'],
      async run({ principal, tenantId, params: { id, cid } }) {
        await requireOwn(tenantId, id)
        await removeCredential(store, principal, id, cid)
      },
    },
  })

  app.post(
    '/v1/providers/:id/test',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'testProvider',
        summary: 'Test a provider',
        description:
          'Asks it for something that costs nothing, with each of its credentials, and tells whether it could be reached and took them. Within ten seconds. A credential that is refused rests, and one that works again is used again.',
        params: ById,
        response: { 200: ProviderTest },
      },
    },
    async (request) => {
      const result = await live.test(principalOf(request).tenantId, request.params.id)
      if (result === undefined) throw notFound('provider')
      return result
    },
  )
}
