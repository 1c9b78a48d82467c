import type { FastifyRequest } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { type Db, withoutReplica } from '../../db/index.js'
import { notFound } from '../../shared/errors.js'
import type { App } from '../app.js'
import { isOwnedBy } from '../auth/principal.js'
import { withDataAge } from '../data-age.js'
import { dataAsOfHeader } from '../openapi/describe-answers.js'
import { CascadeQuery, strict } from '../schemas.js'
import {
  ArrayPageQuery,
  type Cursors,
  linkToNextPage,
  nextPageHeader,
  Page,
  PageQuery,
  type PageRequest,
  readPage,
} from './pagination.js'
import type { CreateItem, ManagementCaller, Resource } from './resource.js'
import { titleOf, withoutArticle } from './resource-names.js'
import {
  bodyOf,
  cascadeOf,
  createRouteAdder,
  filterOf,
  type OperationRoute,
  pageOf,
  paramsOf,
} from './resource-routes.js'

/** What the routes of management resources need. */
export interface ManagementApi {
  app: App
  db: Db
  cursors: Cursors
  /**
   * Runs a request once for each `Idempotency-Key`. What `prepare` returns may run in a transaction; `prepare`
   * itself does not.
   */
  prepareAndAnswerOnce<Answer>(
    db: Db,
    request: FastifyRequest,
    prepare: () => CreateItem<Answer> | Promise<CreateItem<Answer>>,
  ): Promise<Answer>
}

/**
 * Adds the routes of a resource. Paging, owners, `Idempotency-Key`, status codes and documentation are the same for
 * all resources and are implemented here; special routes are plain code next to their resource.
 */
export function defineResource<
  Row,
  Listed extends Row,
  Item extends TSchema,
  Parent extends TObject,
  Params extends TObject,
  Filters extends TProperties,
  Body extends TSchema,
  Answer extends TSchema,
  Change extends TSchema,
>(
  api: ManagementApi,
  resource: Resource<Row, Listed, Item, Parent, Params, Filters, Body, Answer, Change>,
): void {
  const { item, parent, params, list, listAll, create, read, update, remove } = resource
  const { onChange = () => undefined } = resource
  const addRoute = createRouteAdder(api.app, resource)
  const itemDefaults: Pick<OperationRoute, 'access' | 'errors'> = { access: 'manager', errors: ['not_found'] }

  /** Refuses rows that do not exist or do not belong to the caller. */
  async function readItem(caller: ManagementCaller, request: FastifyRequest): Promise<Static<Item>> {
    const { own } = caller
    const row = await resource.find?.({ ...caller, params: paramsOf(params, request) })
    const isVisible =
      row !== undefined && (own === null || !resource.ownerOf || isOwnedBy(own, resource.ownerOf(row)))
    const [shown] = isVisible ? await resource.present([row], caller) : []
    if (shown === undefined) throw notFound(withoutArticle(resource.one))
    return shown
  }

  if (list) {
    const { filters, title = `${titleOf(resource)}Page`, reads = withoutReplica(api.db) } = list
    const querystring = Type.Object({ ...PageQuery, ...filters }, strict)
    const schema = { querystring, response: { 200: Page(item, title) } }
    const answerHeaders = list.reads && { success: dataAsOfHeader }
    const route = { method: 'GET', access: 'reader', schema, answerHeaders } as const
    addRoute('list', list, route, async (caller, request, reply) => {
      const input = { ...caller, params: paramsOf(parent, request) }
      const values = filterOf(filters, request)
      const fetchFrom = (db: Db) => (wanted: PageRequest) =>
        list.rows({ ...input, filter: { ...values, own: input.own, ...wanted } }, db)
      const aged = await reads.run((db) =>
        readPage({
          query: pageOf(request),
          scope: JSON.stringify([resource.path, input.tenantId, input.params, input.own, values]),
          cursors: api.cursors,
          fetch: fetchFrom(db),
          position: list.position,
          present: (row) => row,
        }),
      )
      const page = withDataAge(reply, aged)
      return { ...page, data: await resource.present(page.data, caller) }
    })
  }

  if (listAll) {
    const { position } = listAll
    const schema = {
      ...(position && { querystring: Type.Object(ArrayPageQuery, strict) }),
      response: { 200: Type.Array(item) },
    }
    const answerHeaders = position && { success: nextPageHeader }
    addRoute(
      'list',
      listAll,
      { method: 'GET', access: 'reader', schema, answerHeaders },
      async (caller, request, reply) => {
        const input = { ...caller, params: paramsOf(parent, request) }
        const query = pageOf(request)
        if (!position || (query.limit === undefined && query.cursor === undefined))
          return await resource.present(await listAll.rows({ ...input, page: null }), caller)
        const { data, nextCursor } = await readPage({
          query,
          scope: JSON.stringify([resource.path, input.tenantId, input.params]),
          cursors: api.cursors,
          fetch: (page) => listAll.rows({ ...input, page }),
          position,
          present: (row) => row,
        })
        if (nextCursor !== null) reply.header('link', linkToNextPage(nextCursor, query.limit))
        return await resource.present(data, caller)
      },
    )
  }

  if (create) {
    const schema = { body: create.body, response: { 201: create.answer } }
    const route = { method: 'POST', access: 'manager', status: 201, idempotent: true, schema } as const
    addRoute('create', create, route, async (caller, request) => {
      const input = { ...caller, params: paramsOf(parent, request), body: bodyOf(create.body, request) }
      const answer = await api.prepareAndAnswerOnce(api.db, request, () => create.run(input))
      onChange(caller.tenantId)
      return answer
    })
  }

  if (read) {
    const route = {
      ...itemDefaults,
      method: 'GET',
      access: 'reader',
      schema: { response: { 200: item } },
    } as const
    addRoute('read', read, route, readItem)
  }

  if (update) {
    const { method = 'PATCH', body } = update
    const route = { ...itemDefaults, method, schema: { body, response: { 200: item } } }
    addRoute('update', update, route, async (caller, request) => {
      const change = { ...caller, params: paramsOf(params, request), body: bodyOf(body, request) }
      const changed = await update.runAndPresent?.(change)
      if (changed === undefined) await update.run?.(change)
      onChange(caller.tenantId)
      return changed ?? (await readItem(caller, request))
    })
  }

  if (remove) {
    const { outcome = 'Deleted' } = remove
    const response = { 204: Type.Null({ description: outcome }) }
    const schema = { ...(remove.cascades && { querystring: CascadeQuery }), response }
    addRoute(
      'remove',
      remove,
      { method: 'DELETE', ...itemDefaults, status: 204, schema },
      async (caller, request) => {
        const { cascade = false } = cascadeOf(request)
        await remove.run({ ...caller, params: paramsOf(params, request), cascade })
        onChange(caller.tenantId)
        return null
      },
    )
  }
}
