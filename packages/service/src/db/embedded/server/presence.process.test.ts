import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../../../../../../test/harness/run/wait.js'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../index.js'
import { closePresence, openPresence, type ServerAccess } from './presence.js'

describe('presence on the server', () => {
  let dataDir: string
  let directory: string
  let postgres: EmbeddedPostgres
  let access: ServerAccess

  beforeAll(async () => {
    dataDir = await realpath(await mkdtemp(join(tmpdir(), 'tallystick-presence-')))
    await chmod(dataDir, 0o755)
    postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined })
    directory = join(dataDir, 'postgres')
    const { port, password } = new URL(postgres.url)
    access = { port: Number(port), password }
  })
  afterAll(async () => {
    const last = await startEmbeddedPostgres({ dataDir, log: () => undefined })
    await last.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('is refused on a server of another directory', async () => {
    await expect(openPresence(access, '/somewhere/else')).rejects.toThrow(/not \/somewhere\/else/)
  })

  it('does not begin while the last user is stopping the server', async () => {
    const last = await openPresence(access, directory)
    await postgres.stop()
    const events: string[] = []
    let entering: Promise<void> | undefined
    await closePresence(access, last, async () => {
      entering = openPresence(access, directory).then(async (presence) => {
        events.push('entered')
        await presence.end()
      })
      await waitFor('the process that waits for the lock', () => someoneWaits(postgres.url))
      events.push('stopped')
    })
    await entering
    expect(events).toEqual(['stopped', 'entered'])
  })
})

async function someoneWaits(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)
  await client.end()
  return rowCount === 1
}
