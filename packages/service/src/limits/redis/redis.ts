import { Redis } from 'ioredis'
import { errorCode } from '../../shared/error-code.js'
import type { Script } from './scripts.js'

/** A script could not be run, or it is not known whether it was. */
export class RedisAway extends Error {
  constructor(
    message: string,
    /** False when it was certainly not run. */
    readonly sent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'RedisAway'
  }
}

export interface RedisLink {
  /** Runs a script, in one round trip but for the first time on a server. Throws RedisAway, and soon. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Throws when the server does not answer, or may not be trusted with limits. */
  check(): Promise<void>
  close(): Promise<void>
}

interface RedisOptions {
  /** redis:// or rediss://, with user, password and database; with `?cluster=true` it is one node of a cluster. */
  readonly url: string
  readonly commandTimeoutMs: number
  readonly log: Log
}

interface Log {
  info(message: string): void
  warn(message: string): void
}

/** Waits for the server once, and not for long: it may come later, go and come back. */
export async function openRedis({ url, commandTimeoutMs, log }: RedisOptions): Promise<RedisLink> {
  const client = new Redis(url, {
    lazyConnect: true,
    commandTimeout: commandTimeoutMs,
    connectTimeout: commandTimeoutMs,
    // A server that hangs keeps the connection open: give it up, so that those who come next need not wait as well.
    socketTimeout: commandTimeoutMs,
    disconnectTimeout: 100,
    // A command that waited for the server's return would be decided long after its caller was told that it failed.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 50, 500),
    // After a fail-over the old server turns down writes: look where the name leads now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  /** Why it cannot be used; null when it can. */
  let fault: string | null = 'Redis was not reached yet'

  function become(next: string | null): void {
    if (next === fault) return
    if (next === null) log.info('Redis is there')
    else log.warn(next)
    fault = next
  }
  let lastError = 'the connection was closed'
  client.on('error', (error) => {
    lastError = describe(error)
  })
  client.on('close', () => become(`Redis is away: ${lastError}`))
  let reviewed = Promise.resolve()
  client.on('ready', () => {
    lastError = 'the connection was closed'
    reviewed = review().catch(() => client.disconnect(true))
  })

  /** A window that the server throws away for want of memory is a limit that does not hold. */
  async function review(): Promise<void> {
    const policy = findEviction(await client.info('memory'))
    become(
      policy &&
        `Redis may evict keys (maxmemory-policy ${policy}): limits would not hold; set it to noeviction`,
    )
  }

  // Out of memory, busy, a script that failed: worth a line, though not one for every call.
  let quietUntilMs = 0
  function complain(message: string): void {
    if (performance.now() < quietUntilMs) return
    quietUntilMs = performance.now() + 1_000
    log.warn(`Redis answers with an error: ${message}`)
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
  await reviewed
  return {
    async run(script, keys, args) {
      if (fault !== null) throw new RedisAway(fault, false)
      try {
        return await send(script, keys, args)
      } catch (error) {
        const answer = error instanceof Error && error.name === 'ReplyError' ? error.message : null
        if (answer !== null) complain(answer)
        // An error from within a script names its line; any other answer means that it was not run.
        const sent = answer === null || answer.includes('user_script')
        throw new RedisAway('Redis did not answer as it should', sent, { cause: error })
      }
    },
    async check() {
      if (client.status === 'ready') await review()
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

function findEviction(info: string): string | null {
  const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const policy = read('maxmemory_policy') ?? 'noeviction'
  return read('maxmemory') === '0' || policy === 'noeviction' ? null : policy
}
