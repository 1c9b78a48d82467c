import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)

/** False if no server is installed. Tests that need one are then skipped, except in CI, where nobody would notice. */
export const hasRedis: boolean = program !== undefined
if (!hasRedis && process.env.CI === 'true')
  throw new Error('neither redis-server nor valkey-server is installed')
if (!hasRedis) process.stderr.write('Tests with Redis are skipped: redis-server is not installed\n')

/** A real server on its own port, which can be emptied, paused and killed. */
export interface RedisServer {
  url: string
  /** A client for inspecting and damaging its data. */
  client: Redis
  /** Pauses the server, with its connections open, until it is continued. */
  halt(): void
  continue(): void
  /** Kills the server, which loses everything that it did not save. */
  kill(): Promise<void>
  /** Restarts the server on the same port, with what it saved or empty. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function startRedis(...options: string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-redis-'))
  const argsFor = (port: number) =>
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''].concat(options)
  const first = await launchOnFreePort(argsFor)
  const { port } = first
  let { server } = first
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => undefined)

  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    halt: () => server.kill('SIGSTOP'),
    continue: () => server.kill('SIGCONT'),
    kill,
    async restart() {
      await kill()
      server = await launch(argsFor(port))
    },
    async close() {
      client.disconnect()
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Tries another port if another process takes the port before the server has started. */
async function launchOnFreePort(
  argsFor: (port: number) => string[],
): Promise<{ port: number; server: ChildProcess }> {
  for (;;) {
    const port = await findFreePort()
    const server = await launch(argsFor(port)).catch((error: Error) => {
      if (error.message.includes('Address already in use')) return null
      throw error
    })
    if (server !== null) return { port, server }
  }
}

async function launch(args: readonly string[]): Promise<ChildProcess> {
  const server = spawn(program ?? 'redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('close', (code) => reject(new Error(`Redis ended with ${code}:\n${output}`)))
  })
  return server
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
