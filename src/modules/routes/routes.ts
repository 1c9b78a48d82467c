import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { notFound } from '../../errors.js'
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
import { answerOnce } from '../idempotency/index.js'
import { requireTargets } from './check-targets.js'
import { changeRoute, createRoute, deleteRoute } from './manage.js'
import { presentRoute, type ReadTargetHealth } from './present.js'
import type { Routes } from './reader.js'
import { CreateRoute, Route, UpdateRoute } from './schema.js'
import { findRoute, listRoutes, type RouteRow } from './store.js'

export interface RouteRoutesOptions {
  db: Db
  cursors: Cursors
  routes: Routes
  /** Which models a tenant can call: null for one that it can, else why not. */
  modelFaultsOf(tenantId: string): Promise<(name: string) => string | null>
  dialects: readonly string[]
  readTargetHealth: ReadTargetHealth
}

const tags = ['Routes']

export function registerRouteRoutes(app: App, options: RouteRoutesOptions): void {
  const { db, cursors, routes, modelFaultsOf, dialects, readTargetHealth } = options

  async function presenterFor(tenantId: string): Promise<(row: RouteRow) => Route> {
    const faultOfModel = await modelFaultsOf(tenantId)
    const healthOf = await readTargetHealth(tenantId)
    return (row) => presentRoute(row, (name) => faultOfModel(name) === null, healthOf)
  }

  async function checkTargets(tenantId: string, targets: CreateRoute['targets'] | undefined): Promise<void> {
    if (targets === undefined) return
    const faultOfModel = await modelFaultsOf(tenantId)
    const names = new Set((await routes.list(tenantId)).map(({ name }) => name))
    requireTargets(targets, { faultOfModel, isRoute: (name) => names.has(name), dialects })
  }

  app.get(
    '/v1/routes',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        operationId: 'listRoutes',
        summary: 'List routes',
        description: 'Newest first, also those that are disabled.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(Route, 'RoutePage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      return await readPage({
        query: request.query,
        scope: `routes ${tenantId}`,
        cursors,
        fetch: (page) => listRoutes(db, tenantId, page),
        position: (row) => row.id,
        present: await presenterFor(tenantId),
      })
    },
  )

  app.post(
    '/v1/routes',
    {
      config: { access: 'manager', idempotent: true, errors: ['conflict'] },
      schema: {
        tags,
        operationId: 'createRoute',
        summary: 'Create a route',
        description:
          'A name for one or more models. Every attempt at a target is admitted, judged and recorded as a call of its own, by the price of that target; a target that the caller may not use is passed over.',
        body: CreateRoute,
        response: { 201: Route },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const present = await presenterFor(tenantId)
      const created = await answerOnce(
        db,
        request,
        async (db) => present(await createRoute(db, principal, request.body)),
        () => checkTargets(tenantId, request.body.targets),
      )
      routes.forget(tenantId)
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/v1/routes/:id',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getRoute',
        summary: 'Read a route',
        description:
          'With the state of each target, as the replica sees it that answers: states are not shared between replicas.',
        params: ById,
        response: { 200: Route },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const row = await findRoute(db, tenantId, request.params.id)
      if (!row) throw notFound('route')
      return (await presenterFor(tenantId))(row)
    },
  )

  app.patch(
    '/v1/routes/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'updateRoute',
        summary: 'Change a route',
        description: '`targets`, `retry` and `cache` are replaced as a whole.',
        params: ById,
        body: UpdateRoute,
        response: { 200: Route },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      await checkTargets(tenantId, request.body.targets)
      const row = await changeRoute(db, principal, request.params.id, request.body)
      routes.forget(tenantId)
      return (await presenterFor(tenantId))(row)
    },
  )

  app.delete(
    '/v1/routes/:id',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'deleteRoute',
        summary: 'Delete a route',
        description: 'Its name leads nowhere from then on. Deleting again is fine.',
        params: ById,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await deleteRoute(db, principal, request.params.id)
      routes.forget(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
