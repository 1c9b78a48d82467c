import { type Db, inTransaction, newId } from '../db/index.js'
import { canonicalize } from '../record/index.js'
import { type Actor, recordChange } from '../resources/audit/index.js'
import { requireScope, type Scope } from '../resources/scopes/index.js'
import { conflict, notFound } from '../shared/errors.js'
import type { PolicyChecks } from './check-policy.js'
import { kinds } from './kinds/index.js'
import { kindOf, presentWithStatus } from './present.js'
import type { CreatedPolicy, CreatePolicy, Policy, UpdatePolicy } from './schema.js'
import type { ServiceSecrets } from './service-secret.js'
import {
  findPolicy,
  insertPolicy,
  lockPolicy,
  markPolicyDeleted,
  type PolicyColumns,
  type PolicyRow,
  updatePolicy,
  updatePolicySecret,
} from './store.js'

export interface PolicyStore {
  db: Db
  serviceSecrets: ServiceSecrets
}

export async function createPolicy(
  { db, serviceSecrets }: { db: Db; serviceSecrets: Pick<ServiceSecrets, 'create' | 'statusOf'> },
  actor: Actor,
  input: CreatePolicy,
  checks: PolicyChecks,
): Promise<CreatedPolicy> {
  const { tenantId } = actor
  const { kind } = input
  const config = checks.completeConfig(kind, input.config ?? {})
  const { phase = kinds[kind].phases[0], action = kinds[kind].actions[0] } = input
  checks.requireValidUse({ kind, config, phase, action })
  const id = newId('pol')
  const newSecret = kind === 'http' ? await serviceSecrets.create(tenantId, id) : null
  return await inTransaction(db, async (tx) => {
    const scope = await requireScope(tx, tenantId, input.scope)
    const row = await insertPolicy(tx, tenantId, {
      id,
      kind,
      name: input.name,
      description: input.description ?? '',
      config,
      scope_type: scope.type,
      scope_id: scope.id,
      phase,
      action,
      enabled: input.enabled ?? true,
      sealed_secret: newSecret?.sealed ?? null,
    })
    const created = await presentWithStatus(serviceSecrets, row)
    await recordChange(tx, actor, {
      action: 'policy.create',
      subjectId: row.id,
      before: null,
      after: created,
    })
    return newSecret === null ? created : { ...created, secret: newSecret.secret }
  })
}

/** Changes a policy. A request that changes nothing creates no new version and no audit entry. */
export async function changePolicy(
  { db, serviceSecrets }: PolicyStore,
  actor: Actor,
  id: string,
  input: UpdatePolicy,
  checks: PolicyChecks,
): Promise<Policy> {
  const { tenantId } = actor
  // This comes before the transaction, which must not wait for the network. The kind of a policy never changes.
  const known = input.config && (await findPolicy(db, tenantId, id))
  if (known && input.config) await checks.requireAllowedService(kindOf(known), input.config)
  return await inTransaction(db, async (tx) => {
    // The scope is locked before the policy, in the same order as when a team, user or key is deleted.
    const scope = input.scope && (await requireScope(tx, tenantId, input.scope))
    const row = await lockPolicy(tx, tenantId, id)
    if (!row || row.deleted_at) throw notFound('policy')
    const columns = mergeChange(row, input, scope, checks)
    if (canonicalize(columns) === canonicalize(changeableOf(row)))
      return await presentWithStatus(serviceSecrets, row)
    const after = await presentWithStatus(serviceSecrets, await updatePolicy(tx, tenantId, id, columns))
    await recordChange(tx, actor, {
      action: 'policy.update',
      subjectId: id,
      before: await presentWithStatus(serviceSecrets, row),
      after,
    })
    return after
  })
}

/** Replaces the secret of an `http` policy. The old one ends at once, because each request carries one signature. */
export async function rotatePolicySecret(
  { db, serviceSecrets }: PolicyStore,
  actor: Actor,
  id: string,
): Promise<Policy & { secret: string }> {
  const { tenantId } = actor
  const { secret, sealed } = await serviceSecrets.create(tenantId, id)
  return await inTransaction(db, async (tx) => {
    const row = await lockPolicy(tx, tenantId, id)
    if (!row || row.deleted_at) throw notFound('policy')
    if (row.kind !== 'http') throw conflict(`A policy of the kind ${row.kind} has no secret`)
    const before = await presentWithStatus(serviceSecrets, row)
    const after = await presentWithStatus(serviceSecrets, await updatePolicySecret(tx, tenantId, id, sealed))
    await recordChange(tx, actor, { action: 'policy.rotate_secret', subjectId: id, before, after })
    return { ...after, secret }
  })
}

/** Deletes a policy. Deleting it again does nothing. */
export async function deletePolicy(
  { db, serviceSecrets }: PolicyStore,
  actor: Actor,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await lockPolicy(tx, actor.tenantId, id)
    if (!row) throw notFound('policy')
    if (row.deleted_at) return
    await markPolicyDeleted(tx, actor.tenantId, id)
    await recordChange(tx, actor, {
      action: 'policy.delete',
      subjectId: id,
      before: await presentWithStatus(serviceSecrets, row),
      after: null,
    })
  })
}

function mergeChange(
  row: PolicyRow,
  input: UpdatePolicy,
  scope: Scope | undefined,
  checks: PolicyChecks,
): PolicyColumns {
  const kind = kindOf(row)
  const { phase = row.phase, action = row.action } = input
  const config = input.config ? checks.completeConfig(kind, input.config) : row.config
  // A policy that is no longer valid under today's rules can still be renamed, moved and disabled.
  if (input.config || input.phase || input.action) checks.requireValidUse({ kind, config, phase, action })
  return {
    name: input.name ?? row.name,
    description: input.description ?? row.description,
    config,
    scope_type: scope?.type ?? row.scope_type,
    scope_id: scope?.id ?? row.scope_id,
    phase,
    action,
    enabled: input.enabled ?? row.enabled,
  }
}

function changeableOf(row: PolicyRow): PolicyColumns {
  const { name, description, config, scope_type, scope_id, phase, action, enabled } = row
  return { name, description, config, scope_type, scope_id, phase, action, enabled }
}
