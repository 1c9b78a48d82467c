import { type Db, inTransaction, type KeyRow, newId } from '../../db/index.js'
import { requireToolPatterns } from '../../http/index.js'
import { conflict, invalidField, notFound } from '../../shared/errors.js'
import { type Actor, identifyActor, recordChange } from '../audit/index.js'
import { ensureMember, requireTeam } from '../teams/index.js'
import { keepLastManager } from '../tenants/index.js'
import { presentKey } from './present.js'
import type { CreateKey, UpdateKey } from './schema.js'
import { findKey, insertKey, updateKeyRow } from './store.js'
import { generateKeyValue, hashKeyValue, hintOf } from './value.js'

/** Creates a key. Its value is returned only here: the database stores its hash. */
export async function createKey(
  db: Db,
  actor: Actor,
  input: CreateKey,
  value: string = generateKeyValue(),
): Promise<{ row: KeyRow; value: string }> {
  const { tenantId } = actor
  const expiresAt = readExpiry(input.expiresAt)
  requireToolPatterns(input.allowedTools)
  const row = await inTransaction(db, async (tx) => {
    if (input.teamId) await requireTeam(tx, tenantId, input.teamId)
    if (input.userId) await ensureMember(tx, tenantId, input.userId)
    const created = await insertKey(tx, {
      id: newId('key'),
      tenant_id: tenantId,
      name: input.name,
      role: input.role ?? 'member',
      user_id: input.userId ?? null,
      team_id: input.teamId ?? null,
      rpm_limit: input.rpmLimit ?? null,
      tpm_limit: input.tpmLimit ?? null,
      allowed_models: input.allowedModels ?? null,
      allowed_tools: input.allowedTools ?? null,
      hash: hashKeyValue(value),
      hint: hintOf(value),
      metadata: input.metadata ?? {},
      created_by: identifyActor(actor).id,
      expires_at: expiresAt ?? null,
    })
    await recordChange(tx, actor, {
      action: 'key.create',
      subjectId: created.id,
      before: null,
      after: presentKey(created),
    })
    return created
  })
  return { row, value }
}

export async function updateKey(db: Db, actor: Actor, id: string, input: UpdateKey): Promise<KeyRow> {
  const { tenantId } = actor
  const expiresAt = readExpiry(input.expiresAt)
  requireToolPatterns(input.allowedTools)
  return await keepLastManager(db, tenantId, async (tx) => {
    const row = await findKey(tx, tenantId, id)
    if (!row) throw notFound('key')
    if (row.revoked_at) throw conflict('The key is revoked; a revoked key cannot be changed')
    if (input.teamId) await requireTeam(tx, tenantId, input.teamId)
    if (input.userId) await ensureMember(tx, tenantId, input.userId)
    const updated = await updateKeyRow(tx, tenantId, id, {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.role !== undefined && { role: input.role }),
      ...(input.userId !== undefined && { user_id: input.userId }),
      ...(input.teamId !== undefined && { team_id: input.teamId }),
      ...(input.rpmLimit !== undefined && { rpm_limit: input.rpmLimit }),
      ...(input.tpmLimit !== undefined && { tpm_limit: input.tpmLimit }),
      ...(input.allowedModels !== undefined && { allowed_models: input.allowedModels }),
      ...(input.allowedTools !== undefined && { allowed_tools: input.allowedTools }),
      ...(input.metadata !== undefined && { metadata: input.metadata }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    })
    await recordChange(tx, actor, {
      action: 'key.update',
      subjectId: id,
      before: presentKey(row),
      after: presentKey(updated),
    })
    return updated
  })
}

/** Idempotent: the time of the first revocation is kept. */
export async function revokeKey(db: Db, actor: Actor, id: string): Promise<void> {
  const { tenantId } = actor
  await keepLastManager(db, tenantId, async (tx) => {
    const row = await findKey(tx, tenantId, id)
    if (!row) throw notFound('key')
    if (row.revoked_at) return
    const revoked = await updateKeyRow(tx, tenantId, id, { revoked_at: new Date() })
    await recordChange(tx, actor, {
      action: 'key.revoke',
      subjectId: id,
      before: presentKey(row),
      after: presentKey(revoked),
    })
  })
}

function readExpiry(text: string | null | undefined): Date | null | undefined {
  if (text === null || text === undefined) return text
  const time = new Date(text)
  if (time.getTime() > Date.now()) return time
  throw invalidField('expiresAt', 'must be in the future; to end a key now, revoke it')
}
