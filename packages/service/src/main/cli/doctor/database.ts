import { sql } from 'kysely'
import type { Config } from '../../../config/index.js'
import {
  type Db,
  faultInVersion,
  hasEmbeddedDatabase,
  openDatabase,
  readSchema,
  readServerVersion,
  refuseNewerSchema,
} from '../../../db/index.js'
import { readMasterKeyStatus } from '../../../secrets/index.js'
import { messageOf } from '../../../shared/error-message.js'
import { openServer } from '../../infrastructure/storage.js'
import { createFindings, type Finding } from './finding.js'

const answerTimeoutMs = 5_000
// Limits per minute and periods of budgets follow the clock.
const maxClockDifferenceMs = 2_000

const database = createFindings('database')
const schema = createFindings('schema')
const clock = createFindings('clock')
const masterKey = createFindings('master key')

/** Checks what needs the database: its version, its schema, its clock, and the keys of what is encrypted in it. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl === null && !(await hasEmbeddedDatabase(config.dataDir)))
    return [database.ok(`there is none in ${config.dataDir} yet; the first start creates it`)]
  const advice =
    config.databaseUrl === null
      ? `See ${config.dataDir}/postgres.log`
      : 'Check DATABASE_URL, that the server runs, and that it accepts connections from this machine'
  try {
    const server = await openServer(config, () => undefined)
    const { db, close } = openDatabase(server.url, () => undefined, { max: 1, answerTimeoutMs })
    try {
      const schemaFinding = await checkSchema(server.sessionUrl)
      return [
        await checkVersion(server.url),
        schemaFinding,
        await checkClock(db),
        // What is encrypted cannot be found in a database whose tables are not there yet.
        ...(schemaFinding.state === 'ok' ? [await checkMasterKey(config, db)] : []),
      ]
    } finally {
      await close()
      await server.close()
    }
  } catch (error) {
    return [database.failed(messageOf(error), advice)]
  }
}

async function checkVersion(url: string): Promise<Finding> {
  const version = await readServerVersion(url)
  return faultInVersion(version) === null
    ? database.ok(`PostgreSQL ${version} answers`)
    : database.failed(`PostgreSQL ${version} is not supported`, 'Use a supported version of PostgreSQL')
}

async function checkSchema(url: string): Promise<Finding> {
  try {
    const { state } = await readSchema(url)
    refuseNewerSchema(state)
    if (state.pending.length === 0) return schema.ok(`number ${state.schema}, up to date`)
    const count = state.pending.length === 1 ? '1 migration is' : `${state.pending.length} migrations are`
    return schema.warning(`${count} not applied`, 'Run tallystick migrate --plan, then tallystick migrate')
  } catch (error) {
    return schema.failed(messageOf(error), 'Use a release that fits the database')
  }
}

async function checkClock(db: Db): Promise<Finding> {
  const beforeMs = Date.now()
  const { rows } = await sql<{
    ms: number
  }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(db)
  const afterMs = Date.now()
  const theirMs = rows[0]?.ms ?? 0
  // The answer was made at some time in between.
  const differenceMs = Math.max(beforeMs - theirMs, theirMs - afterMs, 0)
  const seconds = (differenceMs / 1_000).toFixed(1)
  return differenceMs <= maxClockDifferenceMs
    ? clock.ok('agrees with that of the database')
    : clock.warning(
        `differs by ${seconds} s from that of the database`,
        'Check the time service of both machines',
      )
}

async function checkMasterKey({ dataDir, masterKey: configured }: Config, db: Db): Promise<Finding> {
  try {
    const { currentId, ownIds, dataKeys } = await readMasterKeyStatus(db, { dataDir, configured })
    if (currentId === null) return masterKey.ok('there is none yet; the first start creates it')
    const missing = [...new Set([currentId, ...dataKeys.keys()])].filter((id) => !ownIds.includes(id))
    if (missing.length === 0) return masterKey.ok(`${currentId} opens what is encrypted in the database`)
    return masterKey.failed(
      `${missing.join(', ')} is missing here, and secrets in the database are encrypted under it`,
      configured === null
        ? `Copy the file master-key of another replica or of a backup to ${dataDir}`
        : 'Add the key to TALLYSTICK_MASTER_KEY',
    )
  } catch (error) {
    return masterKey.failed(
      messageOf(error),
      'Check TALLYSTICK_MASTER_KEY, or the file master-key in the data directory',
    )
  }
}
