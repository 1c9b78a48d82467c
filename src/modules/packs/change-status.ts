import type { Transaction } from 'kysely'
import type { Db, Tables } from '../../db/index.js'
import { notFound } from '../../errors.js'
import type { RecordEvent } from '../../ledger/index.js'
import { type Actor, recordChange } from '../audit/index.js'
import { type PackCatalogue, versionedName } from './pack-file.js'
import { presentPack } from './present.js'
import type { PackRecord } from './schema.js'
import { listActivePacks, lockRecord, removePack, savePack } from './store.js'

export interface PackParts {
  db: Db
  catalogue: PackCatalogue
  recordEvent: RecordEvent
}

/**
 * Puts a pack into force or out of it, with an entry in the record between the calls before and the calls after. What is
 * as it should be already leaves no trace.
 */
export async function changePackStatus(
  { db, catalogue, recordEvent }: PackParts,
  actor: Actor,
  framework: string,
  status: PackRecord['status'],
): Promise<PackRecord> {
  const { tenantId } = actor
  return await db.transaction().execute(async (tx) => {
    await lockRecord(tx, tenantId)
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
    // A pack whose file is gone stays in force as it was; there is nothing newer to activate.
    if (isUnchanged || (status === 'active' && !available)) return before
    if (status === 'active' && available) await savePack(tx, tenantId, available)
    else await removePack(tx, tenantId, framework)

    const after = (await read()) ?? { ...before, status, activatedAt: null }
    const subject = status === 'active' ? after : before
    await recordEvent(tx, tenantId, {
      event: status === 'active' ? 'pack.activate' : 'pack.deactivate',
      subject: `${versionedName(subject)} sha256:${subject.packHash}`,
      ...(await describeActor(tx, actor)),
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

/** Who did it, and which packs are in force from here on. */
async function describeActor(tx: Transaction<Tables>, { tenantId, keyId, userId }: Actor) {
  const packs = (await listActivePacks(tx, tenantId)).map(versionedName)
  return {
    ...(keyId !== null && { key: keyId }),
    ...(userId !== null && { user: userId }),
    ...(packs.length > 0 && { packs }),
  }
}

/** The controls are in the file; the hash tells which file it was. */
const summaryOf = ({ framework, version, status, packHash, source }: PackRecord) => ({
  framework,
  version,
  status,
  packHash,
  source,
})
