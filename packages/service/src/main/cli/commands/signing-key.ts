import type { Config } from '../../../config/index.js'
import { listPublishedKeys, loadSigningKey, retireOtherKey, rotateSigningKey } from '../../../record/index.js'
import { conflict, notFound } from '../../../shared/errors.js'
import type { Storage } from '../../infrastructure/storage.js'
import { openMarks } from '../../record/record-marks.js'
import { commandLog } from '../command-log.js'
import { describeOperator } from './operator.js'

export async function printSigningKeys({ db }: Storage): Promise<void> {
  const keys = await listPublishedKeys(db)
  for (const { id, createdAt, retiredAt } of keys) {
    const state = retiredAt === null ? 'active' : `retired ${retiredAt.toISOString()}`
    console.log(`${id}\t${createdAt.toISOString()}\t${state}`)
  }
  if (keys.length === 0)
    console.error('There is no signing key yet: the first `tallystick serve` creates one')
}

/** Rotates the signing key in the data directory. A configured key must be replaced by the operator. */
export async function rotateSigningKeyOf(config: Config, { db, sessionUrl }: Storage): Promise<void> {
  const { dataDir } = config
  if (config.signingKey !== null)
    throw conflict(
      'The key is configured in TALLYSTICK_SIGNING_KEY: set it to a new one, restart every replica, then retire the old one with tallystick signing-key retire ID',
    )
  const old = await loadSigningKey({ dataDir, configured: null })
  if (old === null)
    throw notFound(
      `signing key in ${dataDir}: run this on the machine with the data directory of the service`,
    )
  const marks = await openMarks(config, { db, log: commandLog, now: Date.now })
  const target = { db, databaseUrl: sessionUrl, dataDir, marks, now: new Date() }
  const { retired, added, records } = await rotateSigningKey(target, old).finally(() => marks.close())
  console.log(`Sealing with ${added}\nRetired ${retired}; ${describeRecords(records)}`)
}

export async function retireSigningKeyById(
  config: Config,
  { db, sessionUrl }: Storage,
  { keyId: id, isCompromised, by }: { keyId: string; isCompromised: boolean; by: string | null },
): Promise<void> {
  const known = (await listPublishedKeys(db)).find((key) => key.id === id)
  if (!known) throw notFound(`signing key: ${id}; tallystick signing-key list shows all of them`)
  const own = await loadSigningKey({ dataDir: config.dataDir, configured: config.signingKey })
  if (own === null)
    throw notFound(`signing key in ${config.dataDir}: run this on a machine with the signing key`)
  if (own.publicKey.id === id)
    throw conflict(
      config.signingKey === null
        ? `This is the current signing key: tallystick signing-key rotate replaces and retires it${isCompromised ? '; then run this command again' : ''}`
        : 'This key is configured in TALLYSTICK_SIGNING_KEY: set that to another key first',
    )
  const marks = await openMarks(config, { db, log: commandLog, now: Date.now })
  const target = { db, databaseUrl: sessionUrl, marks, now: new Date() }
  const reason = isCompromised ? { compromisedBy: by ?? describeOperator() } : {}
  const { records } = await retireOtherKey(target, own, { id, ...reason }).finally(() => marks.close())
  console.log(`Retired ${id}${isCompromised ? ' as compromised' : ''}; ${describeRecords(records)}`)
}

const describeRecords = (records: number) =>
  records === 1 ? '1 record says so' : `${records} records say so`
