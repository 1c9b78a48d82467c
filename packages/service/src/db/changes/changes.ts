import pg from 'pg'
import { startPeriodic } from '../background/periodic.js'
import { connectionSettings, createSocketWithTimeout } from '../connection/database.js'
import { requireAnswer } from '../connection/liveness.js'

const channel = 'tallystick_changes'

// A connection to a frozen or unreachable server looks open for hours, but a revoked key must be refused within a second.
// So the connection is checked regularly and counts as lost when the server does not answer.
const checkEveryMs = 250
const answerTimeoutMs = 500
// After five seconds in which nobody used a cache the checks become rare. The next use is then answered without the cache, and wakes them.
const maxUnusedChecks = 20
const restMs = 5_000
const firstRetryMs = 50
const maxRetryMs = 2_000

export interface Change {
  table: string
  tenantId: string
}

/**
 * Notifications about rows that replicas changed. Changes are missed while the listening connection is down. `connected()` is
 * then false, cached rows must not be used, and `onGap` is called once the connection is back.
 */
export interface Changes {
  connected(): boolean
  subscribe(listener: { onChange(change: Change): void; onGap(): void }): void
  close(): Promise<void>
}

export async function listenForChanges(url: string, log: (message: string) => void): Promise<Changes> {
  const listeners: Parameters<Changes['subscribe']>[0][] = []
  let closing = false
  let retryMs = firstRetryMs
  let client: pg.Client | null = null
  /** The checks since `connected` was last called. */
  let unusedChecks = 0
  let isResting = false

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connectionSettings(url),
      application_name: 'tallystick changes',
      stream: () => createSocketWithTimeout(),
    })
    next.on('notification', ({ payload }) => {
      const [table = '', tenantId = ''] = (payload ?? '').split(':')
      for (const listener of listeners) listener.onChange({ table, tenantId })
    })
    next.on('error', (error) => onLost(next, error))
    next.on('end', () => onLost(next, new Error('connection ended')))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      next.end().catch(() => undefined)
      throw error
    }
    client = next
    for (const listener of listeners) listener.onGap()
  }

  function onLost(lost: pg.Client, error: Error): void {
    if (client !== lost || closing) return
    client = null
    // Look-ups wake a connection that rests. Attempts to restore a lost one keep their pauses.
    isResting = false
    lost.end().catch(() => undefined)
    log(
      `lost the connection that listens for changes (${error.message}); caches are bypassed until it is restored`,
    )
    loop.wake()
  }

  async function keepListening(): Promise<void> {
    const listening = client
    if (listening !== null) await check(listening)
    else await reconnect()
  }

  async function check(listening: pg.Client): Promise<void> {
    try {
      await requireAnswer(listening, answerTimeoutMs)
      isResting = unusedChecks++ >= maxUnusedChecks
    } catch (error) {
      onLost(listening, error instanceof Error ? error : new Error(String(error)))
    }
  }

  async function reconnect(): Promise<void> {
    await connect()
    retryMs = firstRetryMs
    log('listening for changes again')
  }

  await connect()
  const loop = startPeriodic({
    run: keepListening,
    everyMs: () => (client === null ? retryMs : isResting ? restMs : checkEveryMs),
    onError() {
      retryMs = Math.min(retryMs * 2, maxRetryMs)
    },
  })
  return {
    connected() {
      unusedChecks = 0
      if (isResting) loop.wake()
      return client !== null && !isResting
    },
    subscribe: (listener) => void listeners.push(listener),
    async close() {
      closing = true
      await loop.close()
      await client?.end()
    },
  }
}
