import { join } from 'node:path'
import { migrate, openDatabase, startEmbeddedPostgres } from '../packages/service/src/db/index.js'
import { loadOrCreateSigningKey, publishSigningKey } from '../packages/service/src/record/index.js'
import { openFolder } from './folder.mjs'

/** @typedef {import('./processes.mjs').Cleanup} Cleanup */

/** A database server of its own for the run, with nothing in it. @param {Cleanup} cleanup */
export async function startPostgres(cleanup) {
  const folder = await openFolder(cleanup)
  const { url, stop } = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
  cleanup.add(() => stop())
  return { folder, postgresFolder: join(folder, 'postgres'), url }
}

/**
 * The same with the tables, and connections to it.
 * @param {Cleanup} cleanup @param {import('../packages/service/src/db/index.js').DatabaseOptions} [options]
 */
export async function startDatabase(cleanup, options) {
  const postgres = await startPostgres(cleanup)
  await migrate(postgres.url)
  const { db, close } = openDatabase(postgres.url, (error) => console.error(error.message), options)
  cleanup.add(close)
  return { ...postgres, db }
}

/** The same with a key that signs a record. @param {Cleanup} cleanup */
export async function startRecordDatabase(cleanup) {
  const database = await startDatabase(cleanup)
  const signingKey = await loadOrCreateSigningKey({ dataDir: database.folder, configured: null })
  await publishSigningKey(database.db, signingKey.publicKey)
  return { ...database, signingKey }
}
