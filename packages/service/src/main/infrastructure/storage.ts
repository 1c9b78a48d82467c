import { mkdir } from 'node:fs/promises'
import { type Config, ConfigError } from '../../config/index.js'
import {
  acquireServingLock,
  type Database,
  type DatabaseOptions,
  type Db,
  type EmbeddedPostgres,
  inTransaction,
  openDatabase,
  prepareSchema,
  requireSchema,
  type ServingLock,
  type ServingMode,
  startEmbeddedPostgres,
} from '../../db/index.js'
import { openCurrentSigningKey } from '../../record/index.js'
import { operatorOf } from '../../resources/audit/index.js'
import { createKey } from '../../resources/keys/index.js'
import { ensureFirstTenant } from '../../resources/tenants/index.js'
import { openSecrets } from '../../secrets/index.js'
import { checkServers } from './check-servers.js'

export interface Storage extends Database {
  url: string
  /**
   * The URL for features that need one connection: LISTEN, session locks, prepared statements. It differs from `url` when `url`
   * leads to a transaction pooler.
   */
  sessionUrl: string
  /**
   * A separate pool for the keys of secrets, which are read in the middle of other transactions. In the common pool, that read
   * could wait for a connection held by transactions that wait for the keys.
   */
  keysDb: Db
  /** Returns what is wrong with the embedded server while it is being restarted; null when nothing is. */
  fault(): string | null
  /** Resolves when the embedded server cannot be restarted. The message of the error says what to do. */
  broken: Promise<Error>
}

const keyConnections = 1

export interface StorageOptions extends Pick<DatabaseOptions, 'answerTimeoutMs'> {
  /** `prepare` updates the schema if no other process serves. `require` fails with the command to run if the schema is outdated. */
  schema: 'prepare' | 'require'
  /** Called with each fault of an embedded server, which is then restarted. */
  onFault?: (message: string) => void
}

/** Starts the embedded database server, or returns the address of the external one. The schema is not checked. */
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

/**
 * Opens the database with a schema that this program works with. Commands of the operator may run statements that take minutes,
 * so they pass a longer `answerTimeoutMs`.
 */
export async function openStorage(
  config: Config,
  log: (message: string) => void,
  { schema, onFault, ...timeouts }: StorageOptions,
): Promise<Storage> {
  const server = await openServer(config, log, onFault)
  const { url, sessionUrl } = server
  try {
    await checkServers(config)
    await (schema === 'prepare' ? prepareSchema(sessionUrl, { log }) : requireSchema(sessionUrl))
    const onError = (error: Error) => log(`a database connection was lost: ${error.message}`)
    const database = openDatabase(url, onError, { ...timeouts, max: config.databaseConnections })
    const keys = openDatabase(url, onError, { max: keyConnections })
    return {
      url,
      sessionUrl,
      db: database.db,
      connections: database.connections,
      connectFault: database.connectFault,
      keysDb: keys.db,
      fault: server.watch?.fault ?? (() => null),
      broken: server.watch?.broken ?? new Promise(() => undefined),
      shortenTimeouts() {
        database.shortenTimeouts()
        keys.shortenTimeouts()
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

/** Creates what all processes of an instance share, if it does not exist: a signing key, encryption keys, a tenant and its first key. */
export async function prepareInstance(
  config: Config,
  { db, keysDb }: Storage,
  warn: (message: string) => void,
) {
  // With an embedded server the folder exists already, with access for the account of the server.
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

/** Returns the key with which pagination cursors are signed. */
export async function readCursorKey({ db }: Storage): Promise<Buffer> {
  const { cursor_secret } = await db.selectFrom('instance').select('cursor_secret').executeTakeFirstOrThrow()
  return cursor_secret
}

/**
 * Registers this process as serving the database. Without Redis, a second process is refused: each would count for itself,
 * and every limit would apply twice.
 */
export async function requireServingLock(
  { sessionUrl }: Storage,
  mode: ServingMode,
  processId: string,
  warn: (message: string) => void,
): Promise<ServingLock> {
  const lock = await acquireServingLock(sessionUrl, mode, processId, warn)
  if (lock) {
    // Checked again, because a migration could change the schema until this process was registered.
    await requireSchema(sessionUrl).catch(async (error) => {
      await lock.close()
      throw error
    })
    return lock
  }
  throw new ConfigError([
    mode === 'exclusive'
      ? 'REDIS_URL: another process serves this database. Without Redis each process counts for itself, so every limit would apply twice. Set REDIS_URL for all processes, or stop the other one'
      : 'REDIS_URL: another process serves this database without Redis and counts for itself. Restart it with REDIS_URL, or stop it',
  ])
}
