import { mkdir } from 'node:fs/promises'
import { type Config, ConfigError } from '../../config/index.js'
import {
  type Database,
  type DatabaseOptions,
  type Db,
  type EmbeddedPostgres,
  inTransaction,
  isPooled,
  isSameDatabase,
  openDatabase,
  prepareSchema,
  requireSchema,
  startEmbeddedPostgres,
  takeServingPlace,
} from '../../db/index.js'
import { openCurrentSigningKey } from '../../record/index.js'
import { operatorOf } from '../../resources/audit/index.js'
import { createKey } from '../../resources/keys/index.js'
import { ensureFirstTenant } from '../../resources/tenants/index.js'
import { openSecrets } from '../../secrets/index.js'

export interface Storage extends Database {
  url: string
  /** For what belongs to a connection: listening, session locks, prepared statements. Not `url` where that leads to a transaction pooler. */
  sessionUrl: string
  /**
   * Connections of its own, for what is read in the middle of other transactions: the keys to secrets. From the common pool it would
   * wait for a connection that those transactions hold, which wait for the keys.
   */
  keysDb: Db
  /** What is wrong with the embedded server now, in words, while it is being started again. */
  fault(): string | null
  /** Resolves, with what to do, when the embedded server cannot be started again. */
  broken: Promise<Error>
}

const keyConnections = 1

export interface StorageOptions extends Pick<DatabaseOptions, 'answerWithinMs'> {
  /** A service brings the schema up to date when it is alone. An operator's command never does: it says what to run. */
  schema: 'prepare' | 'require'
  /** Told of each fault of an embedded server, which is then started again. */
  onFault?: (message: string) => void
}

/** Where the database is, embedded or external, whatever its schema. */
export async function openServer(
  config: Config,
  log: (message: string) => void,
  onFault?: StorageOptions['onFault'],
) {
  let embedded: EmbeddedPostgres | null = null
  if (config.databaseUrl === null)
    embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log, ...(onFault && { onFault }) })
  const url = embedded?.url ?? config.databaseUrl ?? ''
  return {
    url,
    sessionUrl: config.databaseDirectUrl ?? url,
    watch: embedded?.watch ?? null,
    close: async () => await embedded?.stop(),
  }
}

/** Says at the start what would otherwise go wrong later: a lock that belongs to nobody, a change that nobody hears of. */
async function checkPooler(url: string, directUrl: string | null): Promise<void> {
  const faults: string[] = []
  if (directUrl === null) {
    if (await isPooled(url))
      faults.push(
        'DATABASE_URL: leads to a pooler that gives each transaction another connection. Set TALLYSTICK_DATABASE_DIRECT_URL to the database itself, for what belongs to a connection',
      )
  } else if (await isPooled(directUrl))
    faults.push(
      'TALLYSTICK_DATABASE_DIRECT_URL: leads to a pooler that gives each transaction another connection, and must lead to the database itself',
    )
  else if (!(await isSameDatabase(directUrl, url)))
    faults.push('TALLYSTICK_DATABASE_DIRECT_URL: leads to another database than DATABASE_URL')
  if (faults.length > 0) throw new ConfigError(faults)
}

/**
 * The database with a schema that this program works with: all that the operator's commands need. Those may ask what takes
 * minutes, with nobody waiting behind them: `answerWithinMs`.
 */
export async function openStorage(
  config: Config,
  log: (message: string) => void,
  { schema, onFault, ...patience }: StorageOptions,
): Promise<Storage> {
  const server = await openServer(config, log, onFault)
  const { url, sessionUrl } = server
  try {
    if (config.databaseUrl !== null) await checkPooler(url, config.databaseDirectUrl)
    await (schema === 'prepare' ? prepareSchema(sessionUrl, { log }) : requireSchema(sessionUrl))
    const onError = (error: Error) => log(`a database connection was lost: ${error.message}`)
    const database = openDatabase(url, onError, { ...patience, max: config.databaseConnections })
    const keys = openDatabase(url, onError, { max: keyConnections })
    return {
      url,
      sessionUrl,
      db: database.db,
      connections: database.connections,
      keysDb: keys.db,
      fault: server.watch?.fault ?? (() => null),
      broken: server.watch?.broken ?? new Promise(() => undefined),
      hurry() {
        database.hurry()
        keys.hurry()
      },
      async close() {
        await database.close()
        await keys.close()
        await server.close()
      },
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** What must be there once, however many processes then serve: a key to sign with, keys to seal with, a tenant, and a key to call with. */
export async function prepareInstance(
  config: Config,
  { db, keysDb }: Storage,
  warn: (message: string) => void,
) {
  // The embedded server has made it already, open to its own account.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const { dataDir } = config
  const signingKey = await openCurrentSigningKey(db, { dataDir, configured: config.signingKey }, warn)
  const secrets = await openSecrets({ db: keysDb, dataDir, configured: config.masterKey, warn })
  const firstKey = await inTransaction(db, async (tx) => {
    const tenant = await ensureFirstTenant(tx)
    if (!tenant) return null
    const key = { name: 'First manager key', role: 'manager' as const }
    return (await createKey(tx, operatorOf(tenant.id), key, config.bootstrapKey ?? undefined)).value
  })
  return { signingKey, secrets, firstKey }
}

/** What pagination cursors are signed with. */
export async function readCursorKey({ db }: Storage): Promise<Buffer> {
  const { cursor_secret } = await db.selectFrom('instance').select('cursor_secret').executeTakeFirstOrThrow()
  return cursor_secret
}

/** Limits in one process are no limits at all when a second one counts beside it. */
export async function takePlace(
  { redisUrl }: Config,
  { sessionUrl }: Storage,
  processId: string,
  warn: (message: string) => void,
) {
  const kind = redisUrl === null ? 'alone' : 'shared'
  const place = await takeServingPlace(sessionUrl, kind, processId, warn)
  if (place) {
    // Until it had its place, a migration could take it for gone, and take away what it uses.
    await requireSchema(sessionUrl).catch(async (error) => {
      await place.close()
      throw error
    })
    return place
  }
  throw new ConfigError([
    redisUrl === null
      ? 'REDIS_URL: another process serves this database, and without Redis each would count for itself: every limit would hold twice. Set REDIS_URL for all of them, or stop the other one'
      : 'REDIS_URL: a process without Redis serves this database, and counts for itself. Start it again with REDIS_URL, or stop it',
  ])
}
