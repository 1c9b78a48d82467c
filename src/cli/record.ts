import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config/index.js'
import type { Db } from '../db/index.js'
import { conflict, notFound } from '../errors.js'
import {
  acceptRestores,
  createEventRecorder,
  type DropLimit,
  deleteDropped,
  dropSpan,
  exportRecord,
  findSeal,
  listPublicJwks,
  loadSigningKey,
  noMarks,
  planDrop,
  planExport,
  publishSigningKey,
  type SigningKey,
} from '../ledger/index.js'
import { findTenant, listTenants } from '../modules/tenants/index.js'
import { openMarks } from '../service/record-marks.js'
import type { Storage } from '../service/storage.js'
import { commandLog } from './command-log.js'
import { verifyExportFile } from './verify/verify-export-file.js'

/**
 * Exports the oldest part of a record, verifies the file as anyone could, and only then drops what is in it. The hashes
 * that the record keeps of the dropped part come from the verified file, not from the database.
 */
export async function dropRecordSpan(
  config: Config,
  { db }: Storage,
  { tenant: name, file, limit }: { tenant: string; file: string; limit: DropLimit },
): Promise<void> {
  const tenant = await findTenant(db, name)
  if (!tenant) throw notFound(`tenant: ${name}; tallystick tenant list shows all of them`)
  const signingKey = await keyToSealWith(config, db)
  const leftover = await deleteDropped(db, tenant.id)
  if (leftover > 0) console.error(`Deleted ${leftover} entries that an earlier attempt had left`)
  const plan = await planDrop(db, tenant.id, limit)
  if (plan === null) throw notFound('entries to drop: no group that was sealed as a whole lies before that')

  const planned = await planExport(db, tenant.id, plan)
  if (planned.state !== 'found') throw conflict('The record was changed meanwhile; try again')
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(exportRecord(db, planned.value), target)
  const trusted = await listPublicJwks(db)
  const report = await verifyExportFile(file, trusted)
  if (report.fault !== null)
    throw conflict(`Nothing was dropped. ${file} does not verify: ${report.fault.message}`)
  const seal = await findSeal(db, tenant.id, plan.toSeq)
  if (report.end.range.size !== plan.toSeq || !seal)
    throw conflict('Nothing was dropped: the export is not whole')

  const marks = await openMarks(config, { db, log: commandLog, now: Date.now })
  const recordEvent = createEventRecorder({ signingKey: () => signingKey, marks, now: () => new Date() })
  const { deleted } = await dropSpan({ db, recordEvent }, report.end, seal.note).finally(() => marks.close())
  console.log(
    `Dropped ${deleted} entries of ${name}, ${plan.fromSeq} to ${plan.toSeq}. ${file} holds them, verified: keep it.\nClosed with this checkpoint:\n\n${seal.note}`,
  )
}

/** Until this was run, nothing is signed for such records; services go on with them within seconds. */
export async function acceptRestoredRecords(config: Config, { db }: Storage): Promise<void> {
  const marks = await openMarks(config, { db, log: commandLog, now: Date.now })
  try {
    const faults = marks.faults()
    if (faults.length === 0)
      return console.log('No record ends before what was sealed: there is nothing to accept')
    const signingKey = await keyToSealWith(config, db)
    const recordEvent = createEventRecorder({
      signingKey: () => signingKey,
      marks: noMarks,
      now: () => new Date(),
    })
    await acceptRestores({ db, recordEvent }, faults)
    const names = new Map((await listTenants(db)).map(({ id, name }) => [id, name]))
    for (const { tenant, sealed, keptSize } of faults)
      console.log(
        `${names.get(tenant) ?? tenant}: was sealed up to entry ${sealed.size}, goes on after entry ${keptSize}; its next entry says so`,
      )
  } finally {
    await marks.close()
  }
}

async function keyToSealWith(config: Config, db: Db): Promise<SigningKey> {
  const key = await loadSigningKey({ dataDir: config.dataDir, configured: config.signingKey })
  if (key === null)
    throw notFound(
      `signing key in ${config.dataDir}: run this where a key is that can seal what the record says`,
    )
  await publishSigningKey(db, key.publicKey)
  return key
}
