import pg from 'pg'
import { connectionSettings } from './database.js'

const channel = 'tallystick_changes'

export interface Change {
  table: string
  tenantId: string
}

/**
 * What other replicas changed. While the listening connection is down, changes are missed: `connected()` is false,
 * nothing cached may be trusted, and `onGap` is called once it is back.
 */
export interface Changes {
  connected(): boolean
  subscribe(listener: { onChange(change: Change): void; onGap(): void }): void
  close(): Promise<void>
}

export async function listenForChanges(url: string, log: (message: string) => void): Promise<Changes> {
  const listeners: Parameters<Changes['subscribe']>[0][] = []
  let client: pg.Client | null = null
  let closed = false
  let retry: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client(connectionSettings(url))
    next.on('notification', ({ payload }) => {
      const [table = '', tenantId = ''] = (payload ?? '').split(':')
      for (const listener of listeners) listener.onChange({ table, tenantId })
    })
    next.on('error', (error) => lose(next, error))
    next.on('end', () => lose(next, new Error('connection ended')))
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

  function lose(lost: pg.Client, error: Error): void {
    if (client !== lost || closed) return
    client = null
    log(`lost the connection that listens for changes (${error.message}); caches are bypassed until it is back`)
    reconnectLater(100)
  }

  function reconnectLater(delayMs: number): void {
    if (closed) return
    retry = setTimeout(() => {
      connect().then(
        () => log('listening for changes again'),
        () => reconnectLater(Math.min(delayMs * 2, 2_000)),
      )
    }, delayMs)
  }

  await connect()
  return {
    connected: () => client !== null,
    subscribe: (listener) => void listeners.push(listener),
    async close() {
      closed = true
      clearTimeout(retry)
      await client?.end()
    },
  }
}
