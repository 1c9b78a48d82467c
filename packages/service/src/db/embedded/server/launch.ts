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
  /** Where its users expect it; any free one where nobody knows it yet. */
  port?: number
}

/** One attempt to run the server: losing a port or the data directory to another process ends it. */
export interface Launch {
  hasEnded(): boolean
  /** What the server wrote about it. */
  readLog(): Promise<string>
}

function serverSettings(port: number): Record<string, string> {
  return {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // Socket paths end at some hundred characters; the data folder's path may not.
    unix_socket_directories: '',
    // Several workers, each with its pool, and commands beside them: one that is not used costs a few kilobytes.
    max_connections: '300',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Starts, stops and crashes. One level lower logs failed statements, with callers' data in them.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    // Parallel plans share memory through /dev/shm, and a container's 64 MB make them fail under load.
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
    // Detached, with files for ears and mouth: Ctrl-C in our terminal must reach only us, since we
    // still write while we stop, and the server must outlive us if we are killed.
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

/** Free now; if another program takes it before Postgres does, the launch ends and the next one gets another. */
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
