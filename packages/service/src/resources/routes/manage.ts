import { isDeepStrictEqual } from 'node:util'
import { type Db, inTransaction, newId } from '../../db/index.js'
import { notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { describeRoute } from './present.js'
import { type CreateRoute, defaultRetry, type UpdateRoute } from './schema.js'
import {
  insertRoute,
  lockRoute,
  markRouteDeleted,
  type RouteColumns,
  type RouteRow,
  requireRoomForRoute,
  updateRoute,
} from './store.js'

type NewTargets = CreateRoute['targets']

const completeTargets = (targets: NewTargets): RouteColumns['targets'] =>
  targets.map(({ model, weight = 1, dialect }) => ({
    model,
    weight,
    ...(dialect !== undefined && { dialect }),
  }))

/** The caller has checked the targets. */
export async function createRoute(db: Db, actor: Actor, input: CreateRoute): Promise<RouteRow> {
  const { tenantId } = actor
  return await inTransaction(db, async (tx) => {
    await requireRoomForRoute(tx, tenantId)
    const row = await insertRoute(tx, tenantId, newId('route'), {
      name: input.name,
      strategy: input.strategy ?? 'priority',
      targets: completeTargets(input.targets),
      retry: input.retry ?? defaultRetry,
      timeout_ms: input.timeoutMs ?? null,
      sticky_by: input.stickyBy ?? 'none',
      cache: input.cache ?? null,
      enabled: input.enabled ?? true,
    })
    await recordChange(tx, actor, {
      action: 'route.create',
      subjectId: row.id,
      before: null,
      after: describeRoute(row),
    })
    return row
  })
}

/** A request that changes nothing is not entered in the audit log. */
export async function changeRoute(db: Db, actor: Actor, id: string, input: UpdateRoute): Promise<RouteRow> {
  const { tenantId } = actor
  return await inTransaction(db, async (tx) => {
    const row = await lockRoute(tx, tenantId, id)
    if (!row || row.deleted_at) throw notFound('route')
    const columns = mergeChange(row, input)
    if (isDeepStrictEqual(columns, changeableOf(row))) return row
    const after = await updateRoute(tx, tenantId, id, columns)
    await recordChange(tx, actor, {
      action: 'route.update',
      subjectId: id,
      before: describeRoute(row),
      after: describeRoute(after),
    })
    return after
  })
}

/** Idempotent. */
export async function deleteRoute(db: Db, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await lockRoute(tx, actor.tenantId, id)
    if (!row) throw notFound('route')
    if (row.deleted_at) return
    await markRouteDeleted(tx, actor.tenantId, id)
    await recordChange(tx, actor, {
      action: 'route.delete',
      subjectId: id,
      before: describeRoute(row),
      after: null,
    })
  })
}

const mergeChange = (row: RouteRow, input: UpdateRoute): RouteColumns => ({
  name: input.name ?? row.name,
  strategy: input.strategy ?? row.strategy,
  targets: input.targets ? completeTargets(input.targets) : row.targets,
  retry: input.retry ?? row.retry,
  timeout_ms: input.timeoutMs === undefined ? row.timeout_ms : input.timeoutMs,
  sticky_by: input.stickyBy ?? row.sticky_by,
  cache: input.cache === undefined ? row.cache : input.cache,
  enabled: input.enabled ?? row.enabled,
})

const changeableOf = ({
  name,
  strategy,
  targets,
  retry,
  timeout_ms,
  sticky_by,
  cache,
  enabled,
}: RouteRow): RouteColumns => ({ name, strategy, targets, retry, timeout_ms, sticky_by, cache, enabled })
