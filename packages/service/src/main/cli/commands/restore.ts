import type { Config } from '../../../config/index.js'
import {
  checkTarget,
  loadDatabase,
  type Manifest,
  openDatabase,
  readManifest,
  withTransferSession,
} from '../../../db/index.js'
import { createFileMarks, type StoredCheckpoint } from '../../../record/index.js'
import { conflict } from '../../../shared/errors.js'
import { openServer } from '../../infrastructure/storage.js'
import { openMarks } from '../../record/record-marks.js'
import { checkpointPrefix, describeCheckpoints, requireCheckpoints } from '../backup/checkpoints.js'
import { readBackupFile } from '../backup/file.js'
import { type BackupKeys, keysName, openKeys, restoreKeys } from '../backup/keys.js'
import { commandLog } from '../command-log.js'

export interface RestoreOptions {
  file: string
  withKeys: boolean
  /** Deletes what the database contains. */
  isReplaced: boolean
}

interface Checked {
  manifest: Manifest
  keys: BackupKeys | null
  /** The text of each checkpoint, by tenant. */
  checkpoints: Map<string, string>
}

/** Fills a database with a backup, and puts its keys into the data directory. */
export async function restore(config: Config, options: RestoreOptions): Promise<void> {
  const { file, isReplaced } = options
  const { manifest, keys, checkpoints } = await checkFile(config, options)
  console.log(
    `${file}: from ${manifest.createdAt}, by version ${manifest.version} on PostgreSQL ${manifest.server}`,
  )
  const server = await openServer(config, (message) => console.error(message))
  try {
    let restored: StoredCheckpoint[] = []
    const rows = await withTransferSession(server.sessionUrl, async (client) => {
      await checkTarget(client, { isReplaced })
      // Before the database: a service that starts after this command was killed must not make other keys.
      const stored = keys === null ? [] : await restoreKeys(config, keys)
      if (stored.length > 0) console.log(`Put ${stored.join(' and ')} into ${config.dataDir}`)
      return await loadDatabase(
        client,
        readBackupFile(file, () => keys && Buffer.from(keys.fileKey, 'base64')),
        {
          isReplaced,
          onPart: () => undefined,
          warn: console.error,
          async check(target) {
            restored = await requireCheckpoints(target, checkpoints)
          },
        },
      )
    })
    console.log(`Restored ${rows.toLocaleString('en')} rows. The records end as in the backup:`)
    for (const line of describeCheckpoints(restored)) console.log(line)
    await createFileMarks(config.dataDir).write?.(restored.map(({ mark }) => mark))
    await describeNext(config, server.url)
  } finally {
    await server.close()
  }
}

/** Reads the whole file once before anything is changed. */
async function checkFile(config: Config, { file, withKeys }: RestoreOptions): Promise<Checked> {
  let manifest: Manifest | null = null
  let keys: BackupKeys | null = null
  const checkpoints = new Map<string, string>()
  const fileKey = () => keys && Buffer.from(keys.fileKey, 'base64')
  for await (const part of readBackupFile(file, fileKey)) {
    manifest ??= readManifest(part)
    if (part.name === keysName && withKeys) keys = await openKeys(config, part)
    if (part.name.startsWith(checkpointPrefix))
      checkpoints.set(part.name.slice(checkpointPrefix.length, -'.txt'.length), part.bytes.toString('utf8'))
  }
  if (manifest === null) throw conflict(`${file} is empty: nothing was restored`)
  if (withKeys && keys === null)
    console.error(
      'The backup has no keys: put the signing key and the master key into the data directory yourself',
    )
  return { manifest, keys, checkpoints }
}

/** Says what the operator does next: services refuse a record that had been sealed further. */
async function describeNext(config: Config, url: string): Promise<void> {
  const { db, close } = openDatabase(url, (error) => console.error(error.message), { max: 1 })
  try {
    const marks = await openMarks(config, {
      db,
      log: { ...commandLog, error: () => undefined },
      now: Date.now,
    })
    const faults = marks.faults()
    await marks.close()
    for (const { message } of faults) console.log(message)
    console.log(
      faults.length > 0
        ? 'Next: tallystick record accept-restore. Services that run refuse calls of these tenants until then'
        : 'Next: start the service with this database and data directory. If it refuses calls because more had been sealed, run tallystick record accept-restore',
    )
  } finally {
    await close()
  }
}
