import { randomInt } from 'node:crypto'
import pg from 'pg'
import { locks } from '../locks/locks.js'
import { connectionSettings, createSocketWithTimeout } from './database.js'

// Other clients use the pooler at the same time and may have the connection that would reveal it, so the test is repeated.
const rounds = 10

/**
 * Returns whether a URL leads to a pooler that assigns a server connection to each transaction (PgBouncer's transaction mode). Behind
 * such a pooler, two clients share server connections or change them. Without one, each client keeps its own.
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

/** Returns whether two URLs lead to the same database: then a lock held by one connection is seen by the other. */
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
    // A broken connection fails the statement in progress, which reports it. Without a listener, the event would end the process.
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
