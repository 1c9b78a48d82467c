import { Type } from 'typebox'
import { conflict, notFound } from '../../errors.js'
import {
  type App,
  ById,
  type Cursors,
  Page,
  PageQuery,
  principalOf,
  readPage,
  strict,
} from '../../http/index.js'
import type { Outbound } from '../../outbound/index.js'
import { answerOnce } from '../idempotency/index.js'
import { requireProvider } from './check.js'
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
import { presentConfigured, presentStored } from './present.js'
import {
  CreateCredential,
  CreateProvider,
  Credential,
  Provider,
  ProviderTest,
  UpdateProvider,
} from './schema.js'
import { findProvider, listProviders } from './store.js'

export interface ProviderRoutesOptions extends ProviderStore {
  cursors: Cursors
  outbound: Outbound
  live: LiveProviders
}

const tags = ['Providers']
const ByBothIds = Type.Object({ id: Type.String({ maxLength: 64 }), cid: Type.String({ maxLength: 64 }) })

export function registerProviderRoutes(app: App, options: ProviderRoutesOptions): void {
  const { db, secrets, types, cursors, live } = options

  const findConfigured = async (tenantId: string, id: string) =>
    (await live.configuredFor(tenantId)).find((each) => each.id === id)

  async function requireOwn(tenantId: string, id: string): Promise<void> {
    const configured = await findConfigured(tenantId, id)
    if (configured)
      throw conflict(
        `Provider ${configured.name} is part of the configuration of this service: its operator changes it there`,
      )
  }

  async function read(tenantId: string, id: string): Promise<Provider> {
    const states = await live.credentialsOf(tenantId)
    const configured = await findConfigured(tenantId, id)
    if (configured) return presentConfigured(configured, states)
    const stored = await findProvider(db, tenantId, id)
    if (!stored) throw notFound('provider')
    return await presentStored(stored, { secrets, types }, states)
  }

  app.get(
    '/v1/providers',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        operationId: 'listProviders',
        summary: 'List providers',
        description:
          'Those of the tenant, newest first, then those of the configuration (`source: config`), by name; in a local trial `mock` is one of these.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(Provider, 'ProviderPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const states = await live.credentialsOf(tenantId)
      const own = (await listProviders(db, tenantId)).map((stored) => ({
        ...{ source: 'api' as const, key: stored.row.id },
        present: () => presentStored(stored, { secrets, types }, states),
      }))
      const configured = (await live.configuredFor(tenantId)).map((provider) => ({
        ...{ source: 'config' as const, key: provider.name },
        present: () => presentConfigured(provider, states),
      }))
      const all = [...own, ...configured].sort(compare)
      return await readPage({
        query: request.query,
        scope: `providers ${tenantId}`,
        cursors,
        fetch: async ({ after, limit }) =>
          all.filter((each) => after === null || compare(each, readPosition(after)) > 0).slice(0, limit),
        position: (each) => writePosition(each),
        present: (each) => each.present(),
      })
    },
  )

  app.post(
    '/v1/providers',
    {
      config: { access: 'manager', idempotent: true, errors: ['conflict'] },
      schema: {
        tags,
        operationId: 'createProvider',
        summary: 'Create a provider',
        description:
          'Its models can be called as `provider/model` on every replica within a second. Values of headers and credentials are stored encrypted and never shown. A base URL that the rules for addresses refuse is a 400 whose message names the rule.',
        body: CreateProvider,
        response: { 201: Provider },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const created = await answerOnce(
        db,
        request,
        (db) => createProvider({ db, secrets, types }, principal, request.body),
        async () => {
          await requireFreeName(live, principal.tenantId, request.body.name)
          await requireProvider(shapeOfNew(request.body), options)
        },
      )
      live.forget(principal.tenantId)
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/v1/providers/:id',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getProvider',
        summary: 'Read a provider',
        description:
          'How its credentials do is told as the replica sees it that answers. The id of one of the configuration is `prov_config_` and its name.',
        params: ById,
        response: { 200: Provider },
      },
    },
    async (request) => await read(principalOf(request).tenantId, request.params.id),
  )

  app.patch(
    '/v1/providers/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'updateProvider',
        summary: 'Change a provider',
        description:
          'Calls under way go on as they began; later ones follow the change, on every replica within a second. `headers`, `timeouts`, `limits` and `options` are replaced as a whole. One of the configuration cannot be changed here: 409.',
        params: ById,
        body: UpdateProvider,
        response: { 200: Provider },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const { id } = request.params
      await requireOwn(tenantId, id)
      const stored = await findProvider(db, tenantId, id)
      if (!stored) throw notFound('provider')
      await requireProvider(await shapeAfter(stored, request.body, secrets), options)
      await changeProvider(options, principal, id, request.body)
      live.forget(tenantId)
      return await read(tenantId, id)
    },
  )

  app.delete(
    '/v1/providers/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'deleteProvider',
        summary: 'Delete a provider',
        description:
          'Calls under way end as they would. Its credentials are erased, and so are the tenant’s own prices for it; routes pass it over. Deleting again is fine. One of the configuration cannot be deleted: 409.',
        params: ById,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await requireOwn(principal.tenantId, request.params.id)
      await deleteProvider(options, principal, request.params.id)
      live.forget(principal.tenantId)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/providers/:id/test',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
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

  app.post(
    '/v1/providers/:id/credentials',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'createProviderCredential',
        summary: 'Give a provider a credential',
        description:
          'Used beside the others at once, by its weight. To rotate: add the new one, then delete the old one.',
        params: ById,
        body: CreateCredential,
        response: { 201: Credential },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { id } = request.params
      const added = await answerOnce(
        db,
        request,
        (db) => addCredential({ db, secrets, types }, principal, id, request.body),
        () => requireOwn(principal.tenantId, id),
      )
      live.forget(principal.tenantId)
      return reply.code(201).send(added)
    },
  )

  app.delete(
    '/v1/providers/:id/credentials/:cid',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'deleteProviderCredential',
        summary: 'Take a credential from a provider',
        description: 'Its value is erased. Deleting again is fine.',
        params: ByBothIds,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { id, cid } = request.params
      await requireOwn(principal.tenantId, id)
      await removeCredential(options, principal, id, cid)
      live.forget(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}

interface Position {
  source: 'api' | 'config'
  key: string
}

/** The tenant's own come first, the newest of them first: ids grow with time. Those of the configuration follow by name. */
function compare(a: Position, b: Position): number {
  if (a.source !== b.source) return a.source === 'api' ? -1 : 1
  const order = a.key < b.key ? -1 : Number(a.key > b.key)
  return a.source === 'api' ? -order : order
}

const writePosition = ({ source, key }: Position): string => `${source} ${key}`
function readPosition(text: string): Position {
  const [source, key = ''] = text.split(' ')
  return { source: source === 'api' ? 'api' : 'config', key }
}
