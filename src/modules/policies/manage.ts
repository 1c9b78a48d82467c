import { type Db, inTransaction, newId } from '../../db/index.js'
import { conflict, notFound } from '../../errors.js'
import { canonicalize } from '../../ledger/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import { requireScope, type Scope } from '../scopes/index.js'
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
  const made = kind === 'http' ? await serviceSecrets.create(tenantId, id) : null
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
      sealed_secret: made?.sealed ?? null,
    })
    const created = await presentWithStatus(serviceSecrets, row)
    await recordChange(tx, actor, {
      action: 'policy.create',
      subjectId: row.id,
      before: null,
      after: created,
    })
    return made === null ? created : { ...created, secret: made.secret }
  })
}

/** A request that changes nothing makes no new version and no line in the audit trail. */
export async function changePolicy(
  { db, serviceSecrets }: PolicyStore,
  actor: Actor,
  id: string,
  input: UpdatePolicy,
  checks: PolicyChecks,
): Promise<Policy> {
  const { tenantId } = actor
  // Before the transaction, which must not wait for the network. The kind of a policy never changes.
  const known = input.config && (await findPolicy(db, tenantId, id))
  if (known && input.config) await checks.requireService(kindOf(known), input.config)
  return await inTransaction(db, async (tx) => {
    // Before the policy itself: a deletion of what it is scoped to locks in that order too.
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

/** The old secret ends at once: a service cannot tell two signatures apart that it is sent for one question. */
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

/** Deleting again does nothing. */
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
  // A policy that was stored under older rules can still be renamed, moved and switched off.
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
