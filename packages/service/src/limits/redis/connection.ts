import { Redis } from 'ioredis'
import { errorCode } from '../../shared/error-code.js'
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
  /** Throws when the server does not answer, or may evict keys. */
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
  let fault: string | null = 'Redis has not been reached yet'

  function setFault(next: string | null): void {
    if (next === fault) return
    if (next === null) log.info('Redis is available')
    else log.warn(next)
    fault = next
  }
  let lastError = 'the connection was closed'
  client.on('error', (error) => {
    lastError = describe(error)
  })
  client.on('close', () => setFault(`Redis is unavailable: ${lastError}`))
  let policyChecked = Promise.resolve()
  client.on('ready', () => {
    lastError = 'the connection was closed'
    policyChecked = checkEvictionPolicy().catch(() => client.disconnect(true))
  })

  /** A server that evicts keys when memory is short may evict a window, whose limit would then not hold. */
  async function checkEvictionPolicy(): Promise<void> {
    const policy = findEvictionPolicy(await client.info('memory'))
    setFault(
      policy &&
        `Redis may evict keys (maxmemory-policy ${policy}): limits would not hold; set it to noeviction`,
    )
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
    async run(script, keys, args) {
      if (fault !== null) throw new RedisUnavailable(fault, false)
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
      if (client.status === 'ready') await checkEvictionPolicy()
      if (fault !== null) throw new Error(fault)
    },
    async close() {
      client.removeAllListeners('close')
      client.disconnect()
    },
  }
}

// When a name has several addresses and none answers, the error has a code and no message.
const describe = (error: Error): string => error.message || (errorCode(error) ?? error.name)

function findEvictionPolicy(info: string): string | null {
  const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const policy = read('maxmemory_policy') ?? 'noeviction'
  return read('maxmemory') === '0' || policy === 'noeviction' ? null : policy
}
