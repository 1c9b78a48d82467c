import { inTransaction } from '../../db/index.js'
import { invalidRequest, notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { addTo, type ProviderStore, readStored, requireProviderRow, shapeAfter } from './manage.js'
import { presentCredential } from './present.js'
import type { CreateCredential, Credential } from './schema.js'
import { findCredential, lockProvider, markCredentialDeleted, requireRoomForCredential } from './store.js'

/**
 * Adds a credential beside the others: a rotation adds the new one, then removes the old one, and no call is lost.
 */
export async function addCredential(
  { db, secrets, types }: ProviderStore,
  actor: Actor,
  providerId: string,
  input: CreateCredential,
): Promise<Credential> {
  const { tenantId } = actor
  return await inTransaction(db, async (tx) => {
    await requireProviderRow(tx, tenantId, providerId)
    await requireRoomForCredential(tx, providerId)
    const shape = await shapeAfter(await readStored(tx, tenantId, providerId), {}, secrets)
    requireCredential(types.faultsIn({ ...shape, credentials: [{ value: input.value }] }))
    const id = await addTo(tx, secrets, tenantId, providerId, input)
    const row = await findCredential(tx, providerId, id)
    if (!row) throw notFound('credential')
    const added = await presentCredential(row, secrets)
    await recordChange(tx, actor, {
      action: 'provider_credential.create',
      subjectId: id,
      before: null,
      after: describe(added, providerId),
    })
    return added
  })
}

/** Selects the faults that are about the credential, with the field names of this request. */
function requireCredential(faults: readonly { path: string; message: string }[]): void {
  const details = faults
    .filter(({ path }) => path.startsWith('credentials'))
    .map(({ path, message }) => ({ path: path.replace(/^credentials(\.0\.)?/, '') || 'value', message }))
  const [first] = details
  if (first) throw invalidRequest(`${first.path}: ${first.message}`, details)
}

/** Idempotent. */
export async function removeCredential(
  { db, secrets }: ProviderStore,
  actor: Actor,
  providerId: string,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // The provider may also be deleted, which differs from one that never existed.
    const provider = await lockProvider(tx, actor.tenantId, providerId)
    const row = provider && (await findCredential(tx, providerId, id))
    if (!row) throw notFound(provider ? 'credential' : 'provider')
    if (row.deleted_at) return
    const before = describe(await presentCredential(row, secrets), providerId)
    await markCredentialDeleted(tx, id)
    await recordChange(tx, actor, {
      action: 'provider_credential.delete',
      subjectId: id,
      before,
      after: null,
    })
  })
}

const describe = ({ status: _, lastError: __, ...credential }: Credential, providerId: string) => ({
  ...credential,
  providerId,
})
