import { spawn } from 'node:child_process'
import { open, readFile, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Account } from '../account/account.js'
import { PROGRAM_ENV, runAs } from '../account/run-program.js'

const LOG_LIMIT_BYTES = 1_000_000

export interface LaunchOptions {
  postgres: string
  directory: string
  logPath: string
  account: Account | undefined
  /** The port of the server. Default: any free port. */
  port?: number
}

/** One attempt to run the server. It ends when another process takes the port or the data directory. */
export interface Launch {
  hasEnded(): boolean
  /** Returns what the server has logged during this launch. */
  readLog(): Promise<string>
}

function serverSettings(port: number): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // Paths of sockets are limited to about a hundred characters, and that of the data directory may be longer.
    unix_socket_directories: '',
    // Enough for several workers with a pool each, and for commands. An unused connection costs a few kilobytes.
    max_connections: '300',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // This level logs starts, stops and crashes. The next lower one logs failed statements, which contain data of callers.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // Parallel plans use shared memory in /dev/shm, and would fail under load with the 64 MB of a container.
    max_parallel_workers_per_gather: '0',
  }
}

export async function launchServer(options: LaunchOptions): Promise<Launch> {
  const { postgres, directory, logPath, account } = options
  const settings = Object.entries(serverSettings(options.port ?? (await pickFreePort())))
  const log = await open(logPath, 'a', 0o600)
  try {
    if (account !== undefined) await log.chown(account.uid, account.gid)
    let offset = (await log.stat()).size
    if (offset > LOG_LIMIT_BYTES) {
      await truncate(logPath)
      offset = 0
    }
    let spawnError = ''
    // The server is detached and writes to a file. Ctrl-C in the terminal must not stop it, because this process still writes while it
    // stops, and the server must survive when this process is killed.
    const child = spawn(
      postgres,
      ['-D', directory, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...runAs(account),
        env: PROGRAM_ENV,
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
      },
    )
    child.on('error', (error) => {
      spawnError = error.message
    })
    child.unref()
    return {
      hasEnded: () => spawnError !== '' || child.exitCode !== null || child.signalCode !== null,
      readLog: async () => spawnError || (await readFile(logPath)).subarray(offset).toString('utf8').trim(),
    }
  } finally {
    await log.close()
  }
}

/** Returns a port that is free now. If another program takes it before Postgres does, the launch fails and the next one uses another port. */
async function pickFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1')
  return address.port
}
