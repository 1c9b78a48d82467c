import { Redis } from 'ioredis'
import { errorCode } from '../../shared/error-code.js'
import { LimitsFault } from '../fault.js'
import type { Script } from './scripts.js'

/** A script was not run, or it is unknown whether it was. */
export class RedisUnavailable extends Error {
  constructor(
    message: string,
    /** False when the script was certainly not run. */
    readonly mayHaveRun: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'RedisUnavailable'
  }
}

export interface RedisConnection {
  /** Runs a script in one round trip, or two when the server does not have it yet. Throws RedisUnavailable within the timeout. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Returns why the place of the server in a Redis Cluster makes it unusable; null when it has none, or is the only primary. */
  clusterFault(): string | null
  /** Throws a LimitsFault when the server does not answer, refuses writes, or may evict keys. */
  check(): Promise<void>
  close(): Promise<void>
}

interface RedisOptions {
  /** A redis:// or rediss:// URL with user, password and database. */
  readonly url: string
  readonly commandTimeoutMs: number
  readonly log: Log
}

interface Log {
  info(message: string): void
  warn(message: string): void
}

/** Connects once, within the timeout, and keeps reconnecting in the background while the server is not available. */
export async function connectToRedis({ url, commandTimeoutMs, log }: RedisOptions): Promise<RedisConnection> {
  const client = new Redis(url, {
    lazyConnect: true,
    commandTimeout: commandTimeoutMs,
    connectTimeout: commandTimeoutMs,
    // A server that hangs keeps the connection open. Closing it spares later commands the wait.
    socketTimeout: commandTimeoutMs,
    disconnectTimeout: 100,
    // A command that waited for a reconnect would run long after its caller was told that it failed.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
    // After a failover the old server rejects writes. Reconnecting resolves the name again.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  /** Why Redis cannot be used. Null when it can. */
  let fault: LimitsFault | null = new LimitsFault('redis_unreachable', 'Redis has not been reached yet')

  function setFault(next: LimitsFault | null): void {
    if (next?.message === fault?.message) return
    if (next === null) log.info('Redis is available')
    else log.warn(next.message)
    fault = next
  }
  let lastError = 'the connection was closed'
  client.on('error', (error) => {
    lastError = describe(error)
  })
  client.on('close', () =>
    setFault(new LimitsFault('redis_unreachable', `Redis is unavailable: ${lastError}`)),
  )
  /** Why the last check could not write. */
  let writeFault: LimitsFault | null = null
  client.on('error', () => {
    writeFault = null
  })
  let policyChecked = Promise.resolve()
  client.on('ready', () => {
    lastError = 'the connection was closed'
    policyChecked = checkServer().catch(() => client.disconnect(true))
  })

  let clusterFault: string | null = null

  /** A node that shares the keys with others refuses theirs, which only the calls of some tenants would find out. */
  async function checkServer(): Promise<void> {
    clusterFault = await findClusterFault(client)
    if (clusterFault !== null) setFault(new LimitsFault('redis_refuses_writes', `Redis: ${clusterFault}`))
    else await checkEvictionPolicy()
  }

  /** A server that evicts keys when memory is short may evict a window, whose limit would then not hold. */
  async function checkEvictionPolicy(): Promise<void> {
    const policy = findEvictionPolicy(await client.info('memory'))
    setFault(
      policy === null
        ? null
        : new LimitsFault(
            'redis_may_evict',
            `Redis may evict keys (maxmemory-policy ${policy}): limits would not hold; set it to noeviction`,
          ),
    )
  }

  /** Returns why the server refuses to write, which it may do while it answers everything else. */
  async function findWriteFault(): Promise<LimitsFault | null> {
    try {
      await client.set('tallystick:writable', '1', 'PX', 60_000)
      return null
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ReplyError')) throw error
      return new LimitsFault('redis_refuses_writes', describeRefusedWrite(error.message), { cause: error })
    }
  }

  // A server that is out of memory or busy, or a script that fails, is logged, but not for every call.
  let quietUntilMs = 0
  function warnOncePerSecond(message: string): void {
    if (performance.now() < quietUntilMs) return
    quietUntilMs = performance.now() + 1_000
    log.warn(`Redis replied with an error: ${message}`)
  }

  async function send(script: Script, keys: readonly string[], args: readonly (string | number)[]) {
    try {
      return await client.call('EVALSHA', [script.sha, keys.length, ...keys, ...args])
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return await client.call('EVAL', [script.source, keys.length, ...keys, ...args])
    }
  }

  await client.connect().catch(() => undefined)
  await policyChecked
  return {
    clusterFault: () => clusterFault,
    async run(script, keys, args) {
      if (fault !== null) throw new RedisUnavailable(fault.message, false)
      try {
        return await send(script, keys, args)
      } catch (error) {
        const errorReply = error instanceof Error && error.name === 'ReplyError' ? error.message : null
        if (errorReply !== null) warnOncePerSecond(errorReply)
        // An error within a script names its line. After any other error reply, the script was not run.
        const mayHaveRun = errorReply === null || errorReply.includes('user_script')
        const message = errorReply === null ? 'Redis did not reply' : 'Redis replied with an error'
        throw new RedisUnavailable(message, mayHaveRun, { cause: error })
      }
    },
    async check() {
      // A server that became read-only is left for a moment, to connect to its name again.
      if (client.status !== 'ready' && writeFault !== null) throw writeFault
      writeFault = null
      if (client.status === 'ready') {
        await checkServer()
        writeFault = await findWriteFault()
      }
      const found = fault ?? writeFault
      if (found !== null) throw found
    },
    async close() {
      client.removeAllListeners('close')
      client.disconnect()
    },
  }
}

async function findClusterFault(client: Redis): Promise<string | null> {
  if (!/^redis_mode:cluster\r?$/m.test(await client.info('server'))) return null
  const shards = Number(/^cluster_size:(\d+)/m.exec(String(await client.cluster('INFO')))?.[1] ?? 0)
  if (shards > 1)
    return `the server is part of a Redis Cluster with ${shards} shards, which is not supported: use one primary`
  const isReplica = /^role:slave/m.test(await client.info('replication'))
  return isReplica ? 'the server is a replica in a Redis Cluster: lead it to the primary' : null
}

// When a name has several addresses and none answers, the error has a code and no message.
const describe = (error: Error): string => error.message || (errorCode(error) ?? error.name)

function describeRefusedWrite(reply: string): string {
  if (reply.startsWith('OOM'))
    return 'Redis is out of memory and refuses writes: raise its maxmemory, or remove what other programs keep in it'
  if (reply.startsWith('READONLY')) return 'Redis is a read-only replica: lead REDIS_URL to the primary'
  return `Redis refuses writes (${reply.slice(0, 100)})`
}

function findEvictionPolicy(info: string): string | null {
  const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const policy = read('maxmemory_policy') ?? 'noeviction'
  return read('maxmemory') === '0' || policy === 'noeviction' ? null : policy
}
