import { Type } from 'typebox'
import { ById, defineResource, type ManagementApi, presentEach, principalOf } from '../../http/index.js'
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
    present: presentEach((listed: ListedProvider) => listed.present()),
    find: ({ tenantId, params }) => findListed(tenantId, params.id),
    onChange: live.forget,
    list: {
      description:
        'Lists the providers of the tenant, newest first, followed by those from the configuration (`source: config`), by name. In a local trial, the latter include `mock`.',
      rows: ({ tenantId, filter }) => listListed(tenantId, filter),
      position: positionOf,
    },
    create: {
      description:
        'Creates a provider. Its models can be called as `provider/model` on every replica within a second. The values of headers and credentials are stored encrypted and never returned. A base URL that breaks the URL rules is refused with 400 and a message that names the rule.',
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
        'Returns a provider. The states of its credentials are those that the responding replica sees. The id of a provider from the configuration is `prov_config_` followed by its name.',
    },
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. `headers`, `timeouts`, `limits` and `options` are replaced as a whole. Calls in progress keep the old settings; later calls use the new ones, on every replica within a second. A provider from the configuration cannot be changed with the API (409).',
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
        'Deletes a provider. Its credentials and the tenant’s prices for it are erased, and routes skip it. Calls in progress continue to their end. Deleting a deleted provider also succeeds. A provider from the configuration cannot be deleted with the API (409).',
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
    present: presentEach((credential: Credential) => credential),
    onChange: live.forget,
    create: {
      summary: 'Add a credential to a provider',
      description:
        'Adds a credential to a provider. Calls use it at once, together with the other credentials and in proportion to its weight. To rotate a credential, add the new one, then delete the old one.',
      errors: ['not_found', 'conflict'],
      body: CreateCredential,
      answer: Credential,
      async run({ principal, tenantId, params: { id }, body }) {
        await requireOwn(tenantId, id)
        return (db) => addCredential({ ...store, db }, principal, id, body)
      },
    },
    remove: {
      summary: 'Delete a credential of a provider',
      description: 'Deletes a credential and erases its value. Deleting a deleted credential also succeeds.',
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
          'Sends the provider a request that costs nothing with each of its credentials, and returns whether the provider was reached and accepted them. The test takes at most ten seconds. A credential that is refused is not used for a while. One that works is used again.',
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
