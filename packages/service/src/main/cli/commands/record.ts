import { createWriteStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../../config/index.js'
import type { Db } from '../../../db/index.js'
import {
  acceptRestores,
  createEventRecorder,
  type DropLimit,
  deleteDropped,
  dropSpan,
  exportRecord,
  findContradictedCheckpoints,
  findSeal,
  largestFaultPerTenant,
  listPublicJwks,
  loadSigningKey,
  noMarks,
  planDrop,
  planExport,
  publishSigningKey,
  readReportedMarks,
  restoreDetailsOf,
  type SigningKey,
} from '../../../record/index.js'
import { findTenant, listTenants } from '../../../resources/tenants/index.js'
import { errorCode } from '../../../shared/error-code.js'
import { conflict, notFound } from '../../../shared/errors.js'
import type { Storage } from '../../infrastructure/storage.js'
import { openMarks } from '../../record/record-marks.js'
import { commandLog } from '../command-log.js'
import { verifyExportFile } from '../verify/verify-export-file.js'
import { describeOperator } from './operator.js'

/**
 * Exports the oldest part of a record, verifies the file like any verifier, and only then drops what is in it. The hashes of the
 * dropped part that the record keeps come from the verified file, not from the database.
 */
export async function dropRecordSpan(
  config: Config,
  { db }: Storage,
  { tenant: name, file, limit }: { tenant: string; file: string; limit: DropLimit },
): Promise<void> {
  const tenant = await findTenant(db, name)
  if (!tenant) throw notFound(`tenant: ${name}; tallystick tenant list shows all of them`)
  const signingKey = await requireSigningKey(config, db)
  const leftover = await deleteDropped(db, tenant.id)
  if (leftover > 0) console.error(`Deleted ${leftover} entries that an earlier attempt had not deleted`)
  const plan = await planDrop(db, tenant.id, limit)
  if (plan === null) throw notFound('entries to drop: no complete group of entries lies before that point')

  const planned = await planExport(db, tenant.id, plan)
  if (planned.state !== 'found') throw conflict('The record was changed in the meantime; try again')
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(exportRecord(db, planned.value), target)
  const trusted = await listPublicJwks(db)
  const report = await verifyExportFile(file, trusted)
  if (report.fault !== null)
    throw conflict(`Nothing was dropped. ${file} does not verify: ${report.fault.message}`)
  const seal = await findSeal(db, tenant.id, plan.toSeq)
  if (report.end.range.size !== plan.toSeq || !seal)
    throw conflict('Nothing was dropped: the export is incomplete')

  const marks = await openMarks(config, { db, log: commandLog, now: Date.now })
  const recordEvent = createEventRecorder({ signingKey: () => signingKey, marks, now: () => new Date() })
  const closing = { note: seal.note, by: describeOperator() }
  const { deleted } = await dropSpan({ db, recordEvent }, report.end, closing).finally(() => marks.close())
  console.log(
    `Dropped ${deleted} entries of ${name}, ${plan.fromSeq} to ${plan.toSeq}. ${file} contains them and was verified: keep it.\nThe dropped part ends with this checkpoint:\n\n${seal.note}`,
  )
}

export interface AcceptRestoreOptions {
  by: string | null
  /** Files with checkpoints that were kept elsewhere. */
  checkpoints: readonly string[]
}

/** Accepts records that end before their last seal. Until then nothing is signed for them; afterwards, services continue within seconds. */
export async function acceptRestoredRecords(
  config: Config,
  { db }: Storage,
  { by, checkpoints }: AcceptRestoreOptions,
): Promise<void> {
  const signingKey = await requireSigningKey(config, db)
  const reported = await readReportedMarks(db)
  const marks = await openMarks(config, { db, log: commandLog, now: Date.now }, reported)
  try {
    const presented = await findContradictedCheckpoints(db, checkpoints.map(readCheckpointFile))
    const faults = largestFaultPerTenant([...marks.faults(), ...presented])
    const asked = [
      ...marks.sources(),
      ...(checkpoints.length > 0 ? [`checkpoints: ${checkpoints.length}`] : []),
    ]
    console.log(`Looked up how far records were sealed: ${asked.join('; ')}`)
    if (faults.length === 0)
      return console.log('No record ends before what was sealed: there is nothing to accept')
    const recordEvent = createEventRecorder({
      signingKey: () => signingKey,
      marks: noMarks,
      now: () => new Date(),
    })
    await acceptRestores({ db, recordEvent }, faults, { by: by ?? describeOperator(), asked })
    const names = new Map((await listTenants(db)).map(({ id, name }) => [id, name]))
    for (const fault of faults) console.log(describeAccepted(names.get(fault.tenant) ?? fault.tenant, fault))
    console.log(
      'To add a later checkpoint that was kept elsewhere to the record, run: tallystick record accept-restore --checkpoint FILE',
    )
  } finally {
    await marks.close()
  }
}

function describeAccepted(name: string, fault: Parameters<typeof restoreDetailsOf>[0]): string {
  const { sealedSize, keptSize, missingEntries } = restoreDetailsOf(fault)
  const missing =
    missingEntries === undefined
      ? 'how many of these entries are missing is unknown'
      : `${missingEntries} of these are missing, those after entry ${keptSize}`
  return `${name}: was sealed up to entry ${sealedSize}; ${missing}. Its next entry says so`
}

function readCheckpointFile(name: string): { name: string; note: string } {
  try {
    return { name, note: readFileSync(name, 'utf8') }
  } catch (error) {
    throw notFound(`checkpoint file: ${name} (${errorCode(error) ?? error})`)
  }
}

async function requireSigningKey(config: Config, db: Db): Promise<SigningKey> {
  const key = await loadSigningKey({ dataDir: config.dataDir, configured: config.signingKey })
  if (key === null)
    throw notFound(`signing key in ${config.dataDir}: run this on a machine with the signing key`)
  await publishSigningKey(db, key.publicKey)
  return key
}
