import { sql } from 'kysely'
import type { Changes, Db } from '../../db/index.js'
import type { EventName } from './events.js'

/**
 * Which tenants have an endpoint for an event, kept in memory so that the record of everybody else costs nothing. It errs on
 * one side only: whoever may have changed, or cannot be heard of, counts as listening until it was read again.
 */
export interface Listeners {
  mayListen(tenantId: string, event: EventName): boolean
  /** For the replica that made the change itself. */
  forget(tenantId: string): void
}

const retryMs = 1_000

export async function createListeners(options: {
  db: Db
  changes: Changes
  onError(error: unknown): void
}): Promise<Listeners> {
  const { db, changes, onError } = options
  let subscriptions = new Set<string>()
  let unsure: Set<string> | 'all' = 'all'
  let heard = 0
  let reading = false

  /** Until nothing changed while it was read: there are few endpoints, and they seldom change. */
  async function readAgain(): Promise<void> {
    heard++
    if (reading) return
    reading = true
    try {
      for (let asOf = 0; asOf !== heard; ) {
        asOf = heard
        subscriptions = await readSubscriptions(db)
      }
      unsure = new Set()
    } catch (error) {
      onError(error)
      setTimeout(readAgain, retryMs).unref()
    } finally {
      reading = false
    }
  }
  function forget(tenantId: string): void {
    if (unsure !== 'all') unsure.add(tenantId)
    readAgain()
  }
  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (table === 'webhook_endpoints') forget(tenantId)
    },
    onGap: () => {
      unsure = 'all'
      readAgain()
    },
  })
  await readAgain()

  return {
    forget,
    mayListen: (tenantId, event) =>
      unsure === 'all' ||
      unsure.has(tenantId) ||
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
