import { type Db, inTransaction, newId } from '../../db/index.js'
import { conflict, notFound } from '../../shared/errors.js'
import { type Actor, identifyActor, recordChange } from '../audit/index.js'
import type { CreateManagedResource, ManagedResource, UpdateManagedResource } from './schema.js'
import {
  insertManagedResource,
  lockManagedResource,
  type ManagedResourceRow,
  markManagedResourceDeleted,
  updateManagedResourceRow,
} from './store.js'

export const presentManagedResource = (row: ManagedResourceRow): ManagedResource => ({
  id: row.id,
  set: row.set_name,
  kind: row.kind,
  name: row.name,
  resourceId: row.resource_id,
  state: row.state,
  specHashes: row.spec_hashes,
  stateHashes: row.state_hashes,
  revision: row.revision,
  updatedBy: row.updated_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** Hashes say nothing to a reader of the audit log, and there may be hundreds. */
function describe(row: ManagedResourceRow) {
  const { specHashes, stateHashes, ...described } = presentManagedResource(row)
  return described
}

export async function createManagedResource(
  db: Db,
  actor: Actor,
  input: CreateManagedResource,
): Promise<ManagedResourceRow> {
  return await inTransaction(db, async (tx) => {
    const row = await insertManagedResource(
      tx,
      {
        id: newId('mres'),
        tenant_id: actor.tenantId,
        kind: input.kind,
        name: input.name,
        updated_by: identifyActor(actor).id,
      },
      {
        set_name: input.set ?? 'default',
        resource_id: input.resourceId ?? null,
        state: input.state ?? 'applying',
        spec_hashes: input.specHashes ?? {},
        state_hashes: input.stateHashes ?? {},
      },
    )
    await recordChange(tx, actor, {
      action: 'managed_resource.create',
      subjectId: row.id,
      before: null,
      after: describe(row),
    })
    return row
  })
}

/** The revision decides between two processes that apply at the same time: one of them gets a conflict. */
export async function updateManagedResource(
  db: Db,
  actor: Actor,
  id: string,
  input: UpdateManagedResource,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockManagedResource(tx, actor.tenantId, id)
    if (!before || before.deleted_at) throw notFound('managed resource')
    if (input.ifRevision !== undefined && input.ifRevision !== before.revision)
      throw conflict(
        `${before.kind} ${before.name} was changed in the meantime: its revision is ${before.revision}, not ${input.ifRevision}`,
      )
    const columns = {
      set_name: input.set ?? before.set_name,
      resource_id: input.resourceId === undefined ? before.resource_id : input.resourceId,
      state: input.state ?? before.state,
      spec_hashes: input.specHashes ?? before.spec_hashes,
      state_hashes: input.stateHashes ?? before.state_hashes,
    }
    const after = await updateManagedResourceRow(tx, before, columns, identifyActor(actor).id)
    await recordChange(tx, actor, {
      action: 'managed_resource.update',
      subjectId: id,
      before: describe(before),
      after: describe(after),
    })
  })
}

/** Idempotent. The object itself stays as it is. */
export async function deleteManagedResource(db: Db, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockManagedResource(tx, actor.tenantId, id)
    if (!before) throw notFound('managed resource')
    if (before.deleted_at) return
    await markManagedResourceDeleted(tx, actor.tenantId, id)
    await recordChange(tx, actor, {
      action: 'managed_resource.delete',
      subjectId: id,
      before: describe(before),
      after: null,
    })
  })
}
