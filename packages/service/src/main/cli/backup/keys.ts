import { randomBytes } from 'node:crypto'
import type { Config } from '../../../config/index.js'
import { ConfigError } from '../../../config/index.js'
import type { Part } from '../../../db/index.js'
import { loadSigningKey, readSigningKey, readSigningPem, storeKeyFile } from '../../../record/index.js'
import {
  masterKeyIdsOf,
  openWithPassphrase,
  readMasterKeysText,
  sealWithPassphrase,
  storeMasterKeys,
} from '../../../secrets/index.js'
import { conflict } from '../../../shared/errors.js'

export const keysName = 'keys.json'

/** The keys of an instance, in a backup. */
export interface BackupKeys {
  /** PEM. */
  signingKey: string
  /** As in a key file, newest first. */
  masterKeys: string
  /** Authenticates the backup. */
  fileKey: string
}

const passphraseNeeded =
  'TALLYSTICK_BACKUP_PASSPHRASE: set it, or TALLYSTICK_BACKUP_PASSPHRASE_FILE to the path of a file with it'

/** Reads the keys of this machine, for a backup. */
export async function collectKeys(config: Config): Promise<BackupKeys> {
  requirePassphrase(
    config,
    'It seals the signing key and the master key in the backup. --without-keys leaves them out',
  )
  const { dataDir } = config
  const signingKey = await readSigningPem({ dataDir, configured: config.signingKey })
  const masterKeys = await readMasterKeysText({ dataDir, configured: config.masterKey }, () => undefined)
  const missing = [
    ...(signingKey === null ? ['signing key'] : []),
    ...(masterKeys === null ? ['master key'] : []),
  ]
  if (signingKey === null || masterKeys === null)
    throw conflict(
      `There is no ${missing.join(' and no ')} in ${dataDir}: run this where the service has its keys, or leave them out with --without-keys`,
    )
  return { signingKey, masterKeys, fileKey: randomBytes(32).toString('base64') }
}

export async function sealKeys(config: Config, keys: BackupKeys): Promise<Part> {
  const sealed = await sealWithPassphrase(config.backupPassphrase ?? '', Buffer.from(JSON.stringify(keys)))
  return { name: keysName, bytes: Buffer.from(`${JSON.stringify(sealed)}\n`) }
}

export async function openKeys(config: Config, { bytes }: Part): Promise<BackupKeys> {
  requirePassphrase(config, 'It opens the keys of the backup. --without-keys restores only the database')
  const plain = await openWithPassphrase(config.backupPassphrase ?? '', JSON.parse(bytes.toString('utf8')))
  if (plain === null)
    throw conflict('The passphrase does not open the keys of this backup: nothing was restored')
  return JSON.parse(plain.toString('utf8'))
}

function requirePassphrase({ backupPassphrase }: Config, why: string): void {
  if (backupPassphrase === null) throw new ConfigError([`${passphraseNeeded}. ${why}`])
}

/** Stores the keys in the data directory where it has none. Others are never replaced. Returns what was stored. */
export async function restoreKeys(config: Config, { signingKey, masterKeys }: BackupKeys): Promise<string[]> {
  const { dataDir } = config
  const here = await loadSigningKey({ dataDir, configured: config.signingKey })
  const { id } = readSigningKey(signingKey, 'The signing key of the backup').publicKey
  const ownKeys = await readMasterKeysText({ dataDir, configured: config.masterKey }, () => undefined)
  const own = ownKeys === null ? null : masterKeyIdsOf(ownKeys)
  const faults: string[] = []
  if (here !== null && here.publicKey.id !== id)
    faults.push(`the signing key ${here.publicKey.id}, and the backup ${id}`)
  const lacking = masterKeyIdsOf(masterKeys).filter((each) => own !== null && !own.includes(each))
  if (lacking.length > 0)
    faults.push(`the master key ${own?.join(', ')}, and the backup ${lacking.join(', ')}`)
  if (faults.length > 0)
    throw conflict(
      `This place has ${faults.join('; it has ')}. Nothing was restored: move its keys away, or keep them with --without-keys`,
    )
  const stored: string[] = []
  if (here === null && (await storeKeyFile(dataDir, signingKey))) stored.push('signing-key.pem')
  if (own === null && (await storeMasterKeys(dataDir, masterKeys))) stored.push('master-key')
  return stored
}
