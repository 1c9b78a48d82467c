import { type Db, inBoundedTransaction, type Tx } from '../../db/index.js'
import type { RecordEvent } from '../../record/index.js'
import { notFound } from '../../shared/errors.js'
import { type Actor, recordChange } from '../audit/index.js'
import { type PackCatalogue, versionedName } from './pack-file.js'
import { presentPack } from './present.js'
import type { PackRecord } from './schema.js'
import { deletePack, listActivePacks, lockRecordHead, upsertPack } from './store.js'

export interface PackDependencies {
  db: Db
  catalogue: PackCatalogue
  recordEvent: RecordEvent
}

/**
 * Activates or deactivates a pack. A control entry in the record separates the calls before from the calls after.
 * Without a change there is no entry.
 */
export async function updatePackStatus(
  { db, catalogue, recordEvent }: PackDependencies,
  actor: Actor,
  framework: string,
  status: PackRecord['status'],
): Promise<PackRecord> {
  const { tenantId } = actor
  return await inBoundedTransaction(db, async (tx) => {
    await lockRecordHead(tx, tenantId)
    const available = catalogue.get(framework)
    const read = async () =>
      presentPack(
        (await listActivePacks(tx, tenantId)).find((row) => row.framework === framework),
        available,
      )
    const before = await read()
    if (!before) throw notFound(`pack: ${framework}`)

    const isUnchanged =
      before.status === status && (status === 'inactive' || before.packHash === available?.hash)
    // A pack whose file is gone stays active; there is nothing newer to activate.
    if (isUnchanged || (status === 'active' && !available)) return before
    if (status === 'active' && available) await upsertPack(tx, tenantId, available)
    else await deletePack(tx, tenantId, framework)

    const after = (await read()) ?? { ...before, status, activatedAt: null }
    const subject = status === 'active' ? after : before
    await recordEvent(tx, tenantId, {
      event: status === 'active' ? 'pack.activate' : 'pack.deactivate',
      subject: `${versionedName(subject)} sha256:${subject.packHash}`,
      ...(await describeChange(tx, actor)),
    })
    await recordChange(tx, actor, {
      action: status === 'active' ? 'pack.activate' : 'pack.deactivate',
      subjectId: framework,
      before: summaryOf(before),
      after: summaryOf(after),
    })
    return after
  })
}

/** Returns the author of the change, and the packs that are active afterwards. */
async function describeChange(tx: Tx, { tenantId, keyId, userId }: Actor) {
  const packs = (await listActivePacks(tx, tenantId)).map(versionedName)
  return {
    ...(keyId !== null && { key: keyId }),
    ...(userId !== null && { user: userId }),
    ...(packs.length > 0 && { packs }),
  }
}

/** The controls are left out: the hash identifies the file that contains them. */
const summaryOf = ({ framework, version, status, packHash, source }: PackRecord) => ({
  framework,
  version,
  status,
  packHash,
  source,
})
