import type { Config } from '../../../config/index.js'
import {
  acquireServingLock,
  checkTarget,
  dumpDatabase,
  loadDatabase,
  newId,
  withTransferSession,
} from '../../../db/index.js'
import { readStoredCheckpoints, type StoredCheckpoint } from '../../../record/index.js'
import { conflict } from '../../../shared/errors.js'
import { openServer } from '../../infrastructure/storage.js'
import { checkpointParts, describeCheckpoints, requireCheckpoints } from '../backup/checkpoints.js'

/** Copies the database to an empty one, while no service uses it. The old one is kept. */
export async function moveTo(config: Config, url: string): Promise<void> {
  const server = await openServer(config, (message) => console.error(message))
  try {
    await withTransferSession(url, async (target) => {
      await checkTarget(target, { isReplaced: false })
      // Held until the copy is complete: a service that started before would write rows that the copy lacks.
      const lock = await acquireServingLock(server.sessionUrl, 'exclusive', newId('proc'), console.error)
      if (lock === null)
        throw conflict('A service uses the database: stop it, then run this again. Nothing was copied')
      try {
        let checkpoints: StoredCheckpoint[] = []
        const rows = await withTransferSession(server.sessionUrl, async (source) => {
          const parts = dumpDatabase(source, {
            async more(snapshot) {
              checkpoints = await readStoredCheckpoints(snapshot)
              return checkpointParts(checkpoints)
            },
          })
          return await loadDatabase(target, parts, {
            isReplaced: false,
            onPart: () => undefined,
            warn: console.error,
            check: async (filled) => {
              if (!lock.isHeld())
                throw conflict('The connection to the database was lost. Nothing was copied: run this again')
              const ends = new Map(
                checkpoints.flatMap(({ tenant, note }) => (note === null ? [] : [[tenant, note]])),
              )
              await requireCheckpoints(filled, ends)
            },
          })
        })
        console.log(
          `Copied ${rows.toLocaleString('en')} rows. The count of every table agrees, and the records end as here:`,
        )
        for (const line of describeCheckpoints(checkpoints)) console.log(line)
      } finally {
        await lock.close()
      }
    })
    console.log(
      `Next: set DATABASE_URL to the new address, keep the data directory ${config.dataDir} (it has the keys), and start the service`,
    )
    console.log('The old database is unchanged. Do not start the service with it again.')
  } finally {
    await server.close()
  }
}
