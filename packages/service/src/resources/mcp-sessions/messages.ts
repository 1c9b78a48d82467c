import { sql } from 'kysely'
import type { Changes, Db } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'

/**
 * Messages of callers about open calls, which may run on another replica: replies to questions, and cancellations.
 * Each has an address, whose listener gets the message once.
 */
export interface CallerMessages {
  /** Resolves with false when a message to this address already exists. */
  send(tenantId: string, address: string, payload: string): Promise<boolean>
  /** Returns a function that stops listening. */
  listen(tenantId: string, address: string, onMessage: (payload: string) => void): () => void
}

interface Listener {
  onMessage(payload: string): void
  /** Ids of the rows that were delivered. */
  seen: Set<number>
}

/** The listeners of one tenant. */
interface Listeners {
  byAddress: Map<string, Set<Listener>>
  reading: Promise<void> | null
  /** True when more rows may exist than the current read finds. */
  again: boolean
}

export const messageMaxAgeMs = 10 * 60_000

export function createCallerMessages(options: {
  db: Db
  changes: Changes
  secrets: Secrets
  onError(error: unknown): void
}): CallerMessages {
  const { db, changes, secrets, onError } = options
  // Bounded: calls that wait for a message.
  const byTenant = new Map<string, Listeners>()

  changes.subscribe({
    onChange({ table, tenantId }) {
      if (table === 'mcp_messages') wake(tenantId)
    },
    onGap() {
      for (const tenantId of byTenant.keys()) wake(tenantId)
    },
  })

  function wake(tenantId: string): void {
    const listeners = byTenant.get(tenantId)
    if (listeners === undefined) return
    listeners.again = true
    listeners.reading ??= readAll(tenantId, listeners)
      .catch(onError)
      .finally(() => {
        listeners.reading = null
      })
  }

  async function readAll(tenantId: string, listeners: Listeners): Promise<void> {
    while (listeners.again) {
      listeners.again = false
      await read(tenantId, listeners)
    }
  }

  async function read(tenantId: string, { byAddress }: Listeners): Promise<void> {
    const rows = await db
      .selectFrom('mcp_messages')
      .select(['id', 'call', 'payload'])
      .where('tenant_id', '=', tenantId)
      .where('call', '=', sql<string>`any(${[...byAddress.keys()]}::text[])`)
      .orderBy('id')
      .execute()
    for (const { id, call, payload } of rows) {
      const waiting = [...(byAddress.get(call) ?? [])].filter(({ seen }) => !seen.has(id))
      if (waiting.length === 0) continue
      const opened = await secrets.open(locationOf(tenantId, call), payload)
      for (const listener of waiting) {
        listener.seen.add(id)
        if (opened !== undecryptable) listener.onMessage(opened.toString())
      }
    }
  }

  /** Returns whether a listener on this replica received it. */
  function deliver(tenantId: string, address: string, payload: string): boolean {
    const waiting = byTenant.get(tenantId)?.byAddress.get(address)
    if (waiting === undefined) return false
    for (const { onMessage } of [...waiting]) onMessage(payload)
    return true
  }

  return {
    async send(tenantId, address, payload) {
      if (deliver(tenantId, address, payload)) return true
      const sealed = await secrets.seal(locationOf(tenantId, address), Buffer.from(payload))
      const { rows } = await sql`
        insert into mcp_messages (tenant_id, call, payload)
        select ${tenantId}, ${address}, ${sealed}
        where not exists (select 1 from mcp_messages where tenant_id = ${tenantId} and call = ${address})
        returning id`.execute(db)
      return rows.length > 0
    },
    listen(tenantId, address, onMessage) {
      const listeners = byTenant.get(tenantId) ?? { byAddress: new Map(), reading: null, again: false }
      byTenant.set(tenantId, listeners)
      const waiting = listeners.byAddress.get(address) ?? new Set()
      listeners.byAddress.set(address, waiting)
      const listener = { onMessage, seen: new Set<number>() }
      waiting.add(listener)
      return () => {
        waiting.delete(listener)
        if (waiting.size === 0 && listeners.byAddress.get(address) === waiting)
          listeners.byAddress.delete(address)
        if (listeners.byAddress.size === 0 && byTenant.get(tenantId) === listeners) byTenant.delete(tenantId)
      }
    },
  }
}

const locationOf = (tenantId: string, address: string) => ({
  purpose: 'mcp_messages.payload',
  tenantId,
  rowId: address,
})

/** Messages that were delivered, or are no longer awaited. */
export async function deleteOldMessages(db: Db): Promise<void> {
  await sql`delete from mcp_messages where created_at < now() - ${messageMaxAgeMs / 1_000} * interval '1 second'`.execute(
    db,
  )
}
