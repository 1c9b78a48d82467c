import type { Config } from '../../../config/index.js'
import { dumpDatabase, type Part, type Parts, withTransferSession } from '../../../db/index.js'
import { readStoredCheckpoints, type StoredCheckpoint } from '../../../record/index.js'
import { openServer } from '../../infrastructure/storage.js'
import { checkpointParts, describeCheckpoints } from '../backup/checkpoints.js'
import { writeBackupFile } from '../backup/file.js'
import { type BackupKeys, collectKeys, sealKeys } from '../backup/keys.js'

export interface BackupOptions {
  file: string
  withKeys: boolean
  isForced: boolean
}

/** Writes a snapshot of the database, and the keys, to a file. The service may be running. */
export async function backUp(config: Config, { file, withKeys, isForced }: BackupOptions): Promise<void> {
  const keys = withKeys ? await collectKeys(config) : null
  const server = await openServer(config, (message) => console.error(message))
  try {
    let checkpoints: StoredCheckpoint[] = []
    const bytes = await withTransferSession(server.sessionUrl, async (client) => {
      const parts = dumpDatabase(client, {
        async more(snapshot) {
          checkpoints = await readStoredCheckpoints(snapshot)
          return checkpointParts(checkpoints)
        },
      })
      const fileKey = keys && Buffer.from(keys.fileKey, 'base64')
      return await writeBackupFile(file, withKeysAfterFirst(config, parts, keys), { isForced, fileKey })
    })
    for (const line of describeCheckpoints(checkpoints)) console.log(line)
    console.log(`Wrote ${file} (${bytes.toLocaleString('en')} bytes)`)
    console.log(
      withKeys
        ? 'It has the signing key and the master keys, sealed with the passphrase: keep that elsewhere.'
        : 'It has no keys: keep the signing key and the master key elsewhere.',
    )
  } finally {
    await server.close()
  }
}

async function* withKeysAfterFirst(
  config: Config,
  parts: Parts,
  keys: BackupKeys | null,
): AsyncGenerator<Part> {
  let isFirst = true
  for await (const part of parts) {
    yield part
    if (isFirst && keys !== null) yield await sealKeys(config, keys)
    isFirst = false
  }
}
