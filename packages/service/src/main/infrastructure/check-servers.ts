import { type Config, ConfigError } from '../../config/index.js'
import { faultInVersion, isPooled, isSameDatabase, readServerVersion } from '../../db/index.js'
import { connectToRedis } from '../../limits/index.js'
import { messageOf } from '../../shared/error-message.js'

type Servers = Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'redisUrl'>

/** A database cannot be used now. The message has a line for each server that cannot. */
export class UnavailableServers extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`Servers cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'UnavailableServers'
  }
}

/**
 * Checks an external database before anything is created in it. When it cannot be used, the report has Redis too. A service starts
 * without Redis, and connects to it later.
 */
export async function checkServers({ databaseUrl, databaseDirectUrl, redisUrl }: Servers): Promise<void> {
  if (databaseUrl === null) return
  const check = (name: string, url: string) => checkDatabase(name, url)
  const found = await Promise.all([
    check('DATABASE_URL', databaseUrl),
    ...(databaseDirectUrl === null ? [] : [check('TALLYSTICK_DATABASE_DIRECT_URL', databaseDirectUrl)]),
  ])
  const unavailable = found.flatMap((each) => each.unavailable ?? [])
  const settings = found.flatMap((each) => each.setting ?? [])
  if (unavailable.length === 0) settings.push(...(await faultsOfPooler(databaseUrl, databaseDirectUrl)))
  if (unavailable.length === 0 && settings.length === 0) return
  const all = [...settings, ...unavailable, ...(await faultsOfRedis(redisUrl))]
  throw settings.length > 0 ? new ConfigError(all) : new UnavailableServers(all)
}

async function checkDatabase(
  name: string,
  url: string,
): Promise<{ unavailable: string | null; setting: string | null }> {
  try {
    const fault = faultInVersion(await readServerVersion(url))
    return { unavailable: null, setting: fault && `${name}: ${fault}` }
  } catch (error) {
    const advice = 'check the URL, that the server runs, and that it accepts connections from this machine'
    return { unavailable: `${name}: ${messageOf(error)}; ${advice}`, setting: null }
  }
}

/** Refuses a transaction pooler where a session is needed: session locks and LISTEN would fail silently later. */
async function faultsOfPooler(url: string, directUrl: string | null): Promise<string[]> {
  if (directUrl === null)
    return (await isPooled(url))
      ? [
          'DATABASE_URL: leads to a transaction pooler, which gives each transaction another connection. Set TALLYSTICK_DATABASE_DIRECT_URL to the database itself, for features that need one connection',
        ]
      : []
  if (await isPooled(directUrl))
    return [
      'TALLYSTICK_DATABASE_DIRECT_URL: leads to a transaction pooler; it must lead to the database itself',
    ]
  return (await isSameDatabase(directUrl, url))
    ? []
    : ['TALLYSTICK_DATABASE_DIRECT_URL: leads to another database than DATABASE_URL']
}

const redisTimeoutMs = 3_000

async function faultsOfRedis(url: string | null): Promise<string[]> {
  if (url === null) return []
  const log = { info: () => undefined, warn: () => undefined }
  const connection = await connectToRedis({ url, commandTimeoutMs: redisTimeoutMs, log })
  try {
    await connection.check()
    return []
  } catch (error) {
    return [`REDIS_URL: ${messageOf(error)}; check the URL and the server`]
  } finally {
    await connection.close()
  }
}
