import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../run/wait.js'
import { findFreePort } from './redis.js'

/** False if PgBouncer is not installed. Tests that need it are then skipped, except in CI, where nobody would notice. */
export const hasPgBouncer: boolean = spawnSync('pgbouncer', ['--version']).status === 0
if (!hasPgBouncer && process.env.CI === 'true') throw new Error('pgbouncer is not installed')
if (!hasPgBouncer) process.stderr.write('Tests with a pooler are skipped: pgbouncer is not installed\n')

/** A real PgBouncer in front of a database, which gives each transaction one of few connections. */
export async function startPgBouncer(
  databaseUrl: string,
  connections: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-pgbouncer-'))
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const own = await findFreePort()
  const settings = join(folder, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
`,
  )
  // PgBouncer refuses to run as root. The other account needs to read its configuration.
  await chmod(folder, 0o755)
  const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const server = spawn('pgbouncer', ['-q', ...account, settings], { stdio: 'ignore' })
  await waitFor('PgBouncer', () => answers(own))
  return {
    url: `postgres://${username}@127.0.0.1:${own}${pathname}?sslmode=disable`,
    async close() {
      const gone = once(server, 'exit')
      server.kill('SIGKILL')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
