import { randomInt } from 'node:crypto'
import pg from 'pg'
import { locks } from '../locks/locks.js'
import { connectionSettings, createSocketWithTimeout } from './database.js'

// Others use the pooler at the same time, and may have taken the connection that would give it away: so it is tried several times.
const rounds = 10

/**
 * Whether a URL leads to a pooler that gives each transaction another connection of the database (PgBouncer's transaction mode).
 * There the transaction of one client runs where another client was a moment ago, or that other one has to go elsewhere. On the
 * database itself each of the two keeps its own.
 */
export async function isPooled(url: string): Promise<boolean> {
  return await withClients([url, url], async ([one, other]) => {
    const ofOne = new Set<number | undefined>()
    const ofOther = new Set<number | undefined>()
    for (let round = 0; round < rounds; round++) {
      ofOne.add(await readPid(one))
      await other.query('begin')
      ofOther.add(await readPid(other))
      ofOne.add(await readPid(one))
      await other.query('rollback')
      if (ofOne.size > 1 || ofOther.size > 1 || [...ofOne].some((pid) => ofOther.has(pid))) return true
    }
    return false
  })
}

/** Whether two URLs lead to one database: a lock that is held by the first is seen by the second. */
export async function isSameDatabase(directUrl: string, url: string): Promise<boolean> {
  const key = randomInt(2 ** 31)
  return await withClients([directUrl, url], async ([direct, other]) => {
    await direct.query('select pg_advisory_lock($1, $2)', [locks.sameDatabase, key])
    const { rows } = await other.query<{ taken: boolean }>(
      'select pg_try_advisory_xact_lock($1, $2) as taken',
      [locks.sameDatabase, key],
    )
    return rows[0]?.taken === false
  })
}

async function readPid(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
}

async function withClients<T>(
  urls: [string, string],
  act: (clients: [pg.Client, pg.Client]) => Promise<T>,
): Promise<T> {
  const connect = (url: string) => {
    const client = new pg.Client({ ...connectionSettings(url), stream: () => createSocketWithTimeout() })
    // A connection that breaks fails the statement under way, which reports it; here it must only not throw.
    client.on('error', () => undefined)
    return client
  }
  const clients: [pg.Client, pg.Client] = [connect(urls[0]), connect(urls[1])]
  try {
    for (const client of clients) await client.connect()
    return await act(clients)
  } finally {
    for (const client of clients) await client.end().catch(() => undefined)
  }
}
