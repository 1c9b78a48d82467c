import { ById, defineResource, type ManagementApi } from '../../http/index.js'
import { requireTargets } from './check-targets.js'
import { changeRoute, createRoute, deleteRoute } from './manage.js'
import { presentRoute, type ReadTargetHealth } from './present.js'
import type { Routes } from './reader.js'
import { CreateRoute, Route, UpdateRoute } from './schema.js'
import { findRoute, listRoutes, type RouteRow } from './store.js'

export interface RouteRoutesOptions {
  routes: Routes
  /** Returns a function that returns null for models that the tenant can call, and otherwise why it cannot. */
  modelFaultsOf(tenantId: string): Promise<(name: string) => string | null>
  dialects: readonly string[]
  readTargetHealth: ReadTargetHealth
}

export function registerRouteRoutes(api: ManagementApi, options: RouteRoutesOptions): void {
  const { db } = api
  const { routes, modelFaultsOf, dialects, readTargetHealth } = options

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

  defineResource(api, {
    path: '/v1/routes',
    params: ById,
    tag: 'Routes',
    one: 'a route',
    many: 'routes',
    item: Route,
    present: async (rows: readonly RouteRow[], { tenantId }) => rows.map(await presenterFor(tenantId)),
    find: ({ tenantId, params }) => findRoute(db, tenantId, params.id),
    onChange: routes.forget,
    list: {
      description: 'Lists routes, newest first, including disabled ones.',
      rows: ({ tenantId, filter }) => listRoutes(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      description:
        'Creates a name for one or more models. Every attempt at a target is admitted, checked by policies and recorded like a separate call, at the price of that target. Targets that the caller may not use are skipped.',
      errors: ['conflict'],
      body: CreateRoute,
      answer: Route,
      async run({ principal, tenantId, body }) {
        const present = await presenterFor(tenantId)
        await checkTargets(tenantId, body.targets)
        return async (db) => present(await createRoute(db, principal, body))
      },
    },
    read: {
      description:
        'Returns a route with the state of each target. The states are those that the responding replica sees; replicas do not share them.',
    },
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. `targets`, `retry` and `cache` are replaced as a whole.',
      errors: ['not_found', 'conflict'],
      body: UpdateRoute,
      async run({ principal, tenantId, params, body }) {
        await checkTargets(tenantId, body.targets)
        await changeRoute(db, principal, params.id, body)
      },
    },
    remove: {
      description:
        'Deletes a route. Its name can no longer be called. Deleting a deleted route also succeeds.',
      run: ({ principal, params }) => deleteRoute(db, principal, params.id),
    },
  })
}
