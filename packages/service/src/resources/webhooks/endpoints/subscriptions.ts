import { sql } from 'kysely'
import type { Changes, Db } from '../../../db/index.js'
import type { EventName } from '../alerts/events.js'

/**
 * Which tenants have an endpoint that subscribes to an event, cached so that webhooks cost the other tenants'
 * receipts nothing. It may wrongly report a subscription, but never miss one: a tenant that may have changed counts
 * as subscribed until it is read again.
 */
export interface Subscriptions {
  mayHave(tenantId: string, event: EventName): boolean
  /** Clears the cache, on the replica that made the change itself. */
  forget(tenantId: string): void
}

const retryMs = 1_000

export async function createSubscriptions(options: {
  db: Db
  changes: Changes
  onError(error: unknown): void
}): Promise<Subscriptions> {
  const { db, changes, onError } = options
  // Bounded: endpoints of the database; read whole after each change.
  let subscriptions = new Set<string>()
  let uncertain: Set<string> | 'all' = 'all'
  let changeCount = 0
  let reading = false

  /** Repeated until nothing changed during the read. There are few endpoints, and they seldom change. */
  async function readAgain(): Promise<void> {
    changeCount++
    if (reading) return
    reading = true
    try {
      for (let asOf = 0; asOf !== changeCount; ) {
        asOf = changeCount
        subscriptions = await readSubscriptions(db)
      }
      uncertain = new Set()
    } catch (error) {
      onError(error)
      setTimeout(readAgain, retryMs).unref()
    } finally {
      reading = false
    }
  }
  function forget(tenantId: string): void {
    if (uncertain !== 'all') uncertain.add(tenantId)
    readAgain()
  }
  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (table === 'webhook_endpoints') forget(tenantId)
    },
    onGap: () => {
      uncertain = 'all'
      readAgain()
    },
  })
  await readAgain()

  return {
    forget,
    mayHave: (tenantId, event) =>
      uncertain === 'all' ||
      uncertain.has(tenantId) ||
      !changes.connected() ||
      subscriptions.has(nameOf(tenantId, event)),
  }
}

const nameOf = (tenantId: string, event: string) => `${tenantId} ${event}`

async function readSubscriptions(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ tenant_id: string; event: string }>`
    select distinct tenant_id, unnest(events) as event from webhook_endpoints
    where deleted_at is null and enabled`.execute(db)
  return new Set(rows.map(({ tenant_id, event }) => nameOf(tenant_id, event)))
}
